import type { Command, Right } from '../command-line/command.ts';
import { allNamespaces, clusterFlags, outputOf } from '../command-line/flags.ts';
import { tokenFile, whereabouts } from '../look/table.ts';

const optional = (resource: Right['resource'], ...verbs: readonly string[]): Right => ({ verbs, resource, optional: true });

export const examining: Command = {
  name: 'doctor',
  does: 'Looks for what is wrong with an installation, and says what to do about each.',
  details:
    'Checks with Kubernetes alone: CRDs, operators and their leases, what NetworkPolicies shut, accounts, what waits for a person. --account also asks the endpoints without a token, as this machine reaches them, and the accounts with theirs or with your own (CLOUD_TOKEN, --token-file). --as-ci tries by dry runs what plan needs. Each check has a number that keeps its meaning; `info` is nothing wrong and is only told; `?` is what could not be looked at, with the reason, as what a token may do while its account is not connected; what you may not read is named, and the rest is looked at all the same.',
  flags: [
    { form: '--account', help: 'Also the way to the endpoints, and what tokens lead to.' },
    { form: '--gitops', help: 'Also what Argo CD (in namespace argocd) and Flux do with the objects.' },
    { form: '--recovery', help: 'Also what a cluster that is rebuilt from Git would make a second time.' },
    {
      form: '--as-ci',
      help: 'Also what a job of a pull request can do that has your rights (--as names another): tried by dry runs of the objects as they are.',
    },
    { form: '--strict', help: 'Exit code 1 for warnings too.' },
    ...whereabouts,
    tokenFile,
    allNamespaces,
    outputOf(),
    ...clusterFlags,
  ],
  talks: 'looks',
  rights: [
    { verbs: ['list'], resource: 'kinds' },
    optional('kinds', 'patch', 'create'),
    optional('customresourcedefinitions', 'get'),
    optional('leases.coordination.k8s.io', 'get'),
    optional('pods', 'list'),
    optional('pods/proxy', 'get'),
    optional('clusterrolebindings.rbac.authorization.k8s.io', 'list'),
    optional('networkpolicies.networking.k8s.io', 'list'),
    optional('endpoints', 'get'),
    optional('secrets', 'get'),
    optional('configmaps', 'get'),
    optional('namespaces', 'get'),
    optional('kustomizations.kustomize.toolkit.fluxcd.io', 'get'),
    optional('applications.argoproj.io', 'list'),
  ],
  confirms: 'C0',
  exits: { 1: 'something fails, or with --strict something warns' },
  examples: [
    'kubectl cloud doctor -A',
    'kubectl cloud doctor --account --gitops --recovery --strict',
    'kubectl cloud doctor --as-ci --as ci-reader',
  ],
  load: async () => (await import('./doctor.ts')).doctor,
};
