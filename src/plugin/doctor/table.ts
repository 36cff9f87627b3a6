import type { Command, Right } from '../command.ts';
import { allNamespaces, clusterFlags, outputOf } from '../flags.ts';

const crdsToo: Right = { verbs: ['get'], resource: 'customresourcedefinitions', optional: true };

export const examining: Command = {
  name: 'doctor',
  does: 'Looks for what is wrong with an installation, and says what to do about each.',
  details:
    'Checks with Kubernetes alone: CRDs, leases, accounts, what waits for a person, what a rebuild would lose. Each check has a number that keeps its meaning.',
  flags: [{ form: '--strict', help: 'Exit code 1 for warnings too.' }, allNamespaces, outputOf(), ...clusterFlags],
  talks: 'reads',
  rights: [{ verbs: ['list'], resource: 'kinds' }, { verbs: ['get'], resource: 'leases.coordination.k8s.io', optional: true }, crdsToo],
  confirms: 'C0',
  exits: { 1: 'something fails, or with --strict something warns' },
  examples: ['kubectl cloud doctor -A', 'kubectl cloud doctor --strict'],
  load: async () => (await import('../verbs/doctor.ts')).doctor,
};
