import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { shownName } from '../../cluster/naming.ts';
import { isOver, servedBy } from '../../cluster/serving.ts';
import { conditionOf, isCutOff, stateOf } from '../../objects/facts.ts';
import type { Unlooked } from './found.ts';
import type { Patient } from '../patient/patient.ts';
import type { Way } from '../patient/ways.ts';

/** Rights by their beginning, `list pods`: what they would show was not looked at. */
export const without =
  (...rights: readonly string[]): Unlooked =>
  ({ forbidden }) =>
    forbidden.filter((one) => rights.some((right) => one.startsWith(right))).map((right) => `you may not ${right}`);

/** What operators write into a status stays there when they are gone. */
export const ofBefore: Unlooked = ({ accounts, leases, now }) => [
  ...new Set(
    accounts.flatMap((account) => {
      const unread = unready(account);
      return deadLease(account, { leases, now }) ?? (unread === undefined ? [] : `${unread}, so what its objects show is of before`);
    }),
  ),
];

function deadLease(account: Resource, { leases, now }: Pick<Patient, 'leases' | 'now'>): string | undefined {
  const name = servedBy(account);
  const lease = leases.get(name ?? '');
  return lease !== undefined && isOver(lease, now)
    ? `no operator renews the lease ${name} (D03), so what the objects show is of before`
    : undefined;
}

const neverSeen = (account: Resource): string | undefined =>
  conditionOf(account, 'Ready') === undefined ? `no operator has looked at ${shownName(account)} yet` : undefined;

/** Of accounts that their status says nothing of now. */
export const notSeen: Unlooked = (patient) =>
  patient.accounts.flatMap((account) => neverSeen(account) ?? deadLease(account, patient) ?? []);

/** What the token is and may, an operator knows only of an account to which it has a way. */
export const notConnected: Unlooked = (patient) =>
  patient.accounts.flatMap((account) => neverSeen(account) ?? deadLease(account, patient) ?? unready(account) ?? []);

/** One that was connected stays Ready while its token is refused or nobody answers. */
export const isUnconnected = (account: Resource): boolean => {
  const ready = conditionOf(account, 'Ready');
  return ready !== undefined && (ready.status !== 'True' || isCutOff(account));
};
const unready = (account: Resource): string | undefined =>
  isUnconnected(account) ? `${shownName(account)} is not connected (${stateOf(account).reason}, D11)` : undefined;

/** Leases that accounts name, and that nobody showed. */
export const leasesUnseen: Unlooked = ({ accounts, leases, forbidden }) => {
  const names = [...new Set(accounts.map(servedBy).filter((name) => name !== undefined))].filter((name) => !leases.has(name));
  return names.map((name) =>
    forbidden.includes(`get leases.coordination.k8s.io in namespace ${name.split('/')[0]}`)
      ? `you may not see the lease ${name}`
      : `the lease ${name} is not there`,
  );
};

export const leadsNowhere: Unlooked = ({ accounts }) =>
  accounts.length < 2
    ? []
    : accounts
        .filter(({ status }) => status?.['account'] === undefined)
        .map((account) => `to which account ${shownName(account)} leads is not known yet`);

type Place = NonNullable<Way['fault']>['at'];
const ids: Readonly<Record<Place, string>> = { name: 'D06', certificate: 'D07', proxy: 'D08', answer: 'D09' };

/** The proxy is asked for first, and what is behind what fails is not come to. */
const order: readonly Place[] = ['name', 'certificate', 'answer'];

/** Of the steps to the endpoints, this one. */
export const notReached =
  (at: Place): Unlooked =>
  (patient) => [...patient.ways.flatMap((way) => barred(way, at) ?? []), ...unknownEndpoints(patient)];

function barred({ endpoint, url, proxy, fault }: Way, at: Place): string | undefined {
  const throughProxy = at === 'name' || at === 'certificate' ? proxy : undefined;
  const isPlain = at === 'certificate' && url.startsWith('http:');
  if (isPlain) return undefined;
  if (throughProxy !== undefined)
    return at === 'name'
      ? `endpoint ${endpoint} is reached by the proxy ${throughProxy}, which looks its name up`
      : `endpoint ${endpoint} is reached by the proxy ${throughProxy}, through which its certificate is not looked at`;
  return fault !== undefined && isBehind(at, fault.at) ? `the way to endpoint ${endpoint} ends before (${ids[fault.at]})` : undefined;
}
const isBehind = (at: Place, stuck: Place): boolean => (stuck === 'proxy' ? at !== 'proxy' : order.indexOf(at) > order.indexOf(stuck));

const unknownEndpoints = ({ accounts, ways }: Patient): readonly string[] =>
  [...new Set(accounts.map(({ spec }) => String(spec['endpoint'])))]
    .filter((name) => !ways.some(({ endpoint }) => endpoint === name))
    .map((name) => `where endpoint ${name} is, is not known: --endpoint ${name}=URL`);

const noPods = 'no Pod of an operator is to be seen';
/** What must be reached is known of endpoints that somebody named. */
export const notShut: Unlooked = (patient) => {
  const barredFrom = without('list pods', 'list networkpolicies')(patient);
  if (patient.pods.length === 0) return barredFrom.length > 0 ? barredFrom : [noPods];
  const known = patient.needed.some(({ what }) => what.startsWith('endpoint '));
  return [
    ...barredFrom,
    ...(known ? [] : ['where the endpoints are is not known, so whether these are shut is not looked at: --endpoint']),
  ];
};

/** Nothing that tells a time was seen. */
export const noClock: Unlooked = ({ accounts, leases, ways }) =>
  accounts.length === 0 || leases.size > 0 || ways.some(({ ahead }) => ahead !== undefined)
    ? []
    : ['neither a lease nor the answer of an endpoint is to be seen'];

export const noCrds: Unlooked = ({ crds }) => (crds.every(({ state }) => state === 'unseen') ? ['no CRD is to be seen'] : []);

/** Tokens that nobody tried, and what only operators know of them. */
export const tokensUntried: Unlooked = (patient) => {
  const untried = patient.tokens.flatMap(({ unlooked }) => unlooked ?? []);
  const refused = patient.tokens.some(({ fault }) => fault !== undefined);
  return [...untried, ...(refused ? [] : notConnected(patient))];
};
