import type { Passage, Point } from './crossing.ts';

/** One place in an operation where the operator can be killed, the same in every run of it. */
export interface Step {
  /** Of the call, with what differs from run to run taken out: `cloud POST /v4/volumes`. */
  readonly call: string;
  /** Counted from the begin of the operation. */
  readonly occurrence: number;
  readonly point: Point;
}
/** As it stands in the id of a case. */
export const stepText = ({ call, occurrence, point }: Step): string => `${call.replaceAll(' ', '_')}#${occurrence}/${point}`;

/** Ids, owner keys, names of namespaces and the like differ from run to run. */
export function callText({ server, method, path }: Passage): string {
  const [bare = ''] = path.split('?');
  const same = bare
    .replaceAll(/\b(team|operator|cloud-operator)-[0-9a-f]{8}\b/g, '$1')
    .replaceAll(/\baccount-\d+\b/g, 'account')
    .replaceAll(/-[a-z2-7]{8}(?=\/|$)/g, '')
    .replaceAll(/\.[0-9a-f]{8,}(?=\/|$)/g, '')
    .replaceAll(/\/\d+(?=\/|$)/g, '/N')
    .replaceAll(/\/\d+\.\d+\.\d+\.\d+(?=\/|$)/g, '/IP');
  return `${server} ${method} ${same}`;
}

/** It changes the account or the cluster; the lease alone does not count. */
export const writes = ({ method, path }: Passage): boolean => method !== 'GET' && !path.includes('/leases');

/** Reads of the cluster change nothing and tell nobody anything. */
export const counts = ({ server, method }: Passage): boolean => server === 'cloud' || method !== 'GET';

const points: readonly Point[] = ['before', 'committed', 'answered'];

/** Polls go on for ever: what repeats them is the same place again. */
const repeats = (call: string): boolean => call.startsWith('cloud GET ');
/** It is renewed by the clock, whatever else is done; a crash there leaves nothing half done. */
const isLease = (call: string): boolean => call.includes('/leases/');

/** Every step of a recorded operation. */
export const stepsOf = (calls: readonly { readonly call: string; readonly occurrence: number }[]): readonly Step[] =>
  calls
    .filter(({ call, occurrence }) => !isLease(call) && (occurrence === 1 || !repeats(call)))
    .flatMap(({ call, occurrence }) => points.map((point) => ({ call, occurrence, point })));
