import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { Endpoint } from '../../../flag-values.ts';
import type { Lease } from '../../../kube/leases/lease-record.ts';
import type { Millis } from '../../../lib/clock.ts';
import { endpointsOf } from '../../account/endpoints.ts';
import type { Call } from '../../command-line/command.ts';
import { crdStates } from '../../cluster/installed.ts';
import { operatorNamespaces } from '../../cluster/operator-namespaces.ts';
import { leasePath, servedBy } from '../../cluster/serving.ts';
import { withAuthority } from '../../dry/ports/open-cloud.ts';
import { CliError } from '../../exit.ts';
import { on, text } from '../../command-line/flag.ts';
import { registry } from '../../command-line/kinds.ts';
import { Landscape } from '../../objects/landscape.ts';
import type { CrdState } from '../../output/shapes.ts';
import type { Session } from '../../session.ts';
import { type Job, jobOf } from './as-ci.ts';
import { Asked } from './asked.ts';
import { type GitOps, gitOpsOf } from './gitops.ts';
import { type Needed, type NetworkPolicy, networkPolicies, type OperatorPod, operatorPods, serverPorts } from './operators.ts';
import { type TokenSeen, tokensOf } from './tokens.ts';
import { type Way, wayTo } from './ways.ts';

/** Everything that the checks look at, read once. */
export interface Patient {
  readonly now: Millis;
  readonly accounts: readonly Resource[];
  /** Of all other kinds. */
  readonly objects: readonly Resource[];
  readonly crds: readonly CrdState[];
  /** By the name that `status.servedBy` of an account gives; absent: not there, or not for the caller to see. */
  readonly leases: ReadonlyMap<string, Lease>;
  readonly pods: readonly OperatorPod[];
  readonly policies: readonly NetworkPolicy[];
  /** What operators must reach. */
  readonly needed: readonly Needed[];
  /** To the endpoints of the accounts, where that is asked for. */
  readonly ways: readonly Way[];
  /** What the token of each account leads to, where that is asked for. */
  readonly tokens: readonly TokenSeen[];
  /** Where that is asked for. */
  readonly gitops: GitOps | undefined;
  /** Where that is asked for. */
  readonly job: Job | undefined;
  /** Rights without which something was not looked at. */
  readonly forbidden: readonly string[];
}

/** `call`: which of what is asked for only by a flag is wanted, and by which endpoints and token. */
export async function patientOf(call: Pick<Call, 'session' | 'flags'>, namespace: string | undefined): Promise<Patient> {
  const { session, flags } = call;
  const reader = await session.reader();
  const asked = new Asked(reader);
  const [{ all }, crds] = await Promise.all([Landscape.of(reader, namespace), crdStates(reader)]);
  const accounts = all.filter(({ kind }) => kind === registry.connection.kind);
  const objects = all.filter((object) => !accounts.includes(object));
  const pods = await operatorPods(asked, await operatorNamespaces(reader, text(flags, 'operatorNamespace')));
  const endpoints = on(flags, 'account') ? await endpointsOf({ ...call, args: [] }) : await knownEndpoints(call, pods);
  const used = endpoints.filter(({ name }) => accounts.some(({ spec }) => spec['endpoint'] === name));
  const ways = on(flags, 'account') ? await waysTo(session, used) : [];
  return {
    now: session.now,
    accounts,
    objects,
    crds,
    leases: await leasesOf(asked, accounts),
    pods,
    policies: await networkPolicies(asked, pods),
    needed:
      pods.length === 0
        ? []
        : [dns, { what: 'the API server', ports: await serverPorts(asked), protocol: 'TCP' }, ...endpoints.map(neededFor)],
    ways,
    tokens: on(flags, 'account') ? await tokensOf(call, accounts, { asked, endpoints, ways }) : [],
    gitops: on(flags, 'gitops') ? await gitOpsOf(asked, objects, namespace) : undefined,
    job: on(flags, 'asCi') ? await jobOf({ ...call, args: [] }, all) : undefined,
    forbidden: [...asked.forbidden].toSorted(),
  };
}

const dns: Needed = { what: 'DNS (UDP 53)', ports: [53, 5353], protocol: 'UDP' };
const neededFor = ({ name, url }: Endpoint): Needed => {
  const { port, protocol } = new URL(url);
  return { what: `endpoint ${name}`, ports: [port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)], protocol: 'TCP' };
};

/** As far as they are told: nobody must name them for what Kubernetes alone shows. */
async function knownEndpoints(call: Pick<Call, 'session' | 'flags'>, pods: readonly OperatorPod[]): Promise<readonly Endpoint[]> {
  if (pods.length === 0) return [];
  try {
    return await endpointsOf({ ...call, args: [] });
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

async function leasesOf(asked: Asked, accounts: readonly Resource[]): Promise<ReadonlyMap<string, Lease>> {
  const names = new Set(accounts.map(servedBy).filter((name) => name !== undefined));
  const found = await Promise.all(
    [...names].map(async (name) => {
      const [namespace = ''] = name.split('/');
      return [
        name,
        (await asked.get(leasePath(name), `get leases.coordination.k8s.io in namespace ${namespace}`)) as Lease | undefined,
      ] as const;
    }),
  );
  return new Map(found.flatMap(([name, lease]) => (lease === undefined ? [] : [[name, lease] as const])));
}

async function waysTo({ host }: Session, endpoints: readonly Endpoint[]): Promise<readonly Way[]> {
  const trusted = await Promise.all(endpoints.map((one) => withAuthority(one)));
  return Promise.all(trusted.map((one) => wayTo(one, host.wire, () => host.clock.now())));
}
