import { heldBy } from '../../../engine/guard/release-code.ts';
import { accountKey } from '../../../engine/model/account.ts';
import { spendsApproval } from '../../../engine/model/annotations.ts';
import { objectId } from '../../../engine/model/object-id.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { Millis } from '../../../lib/clock.ts';
import { shownTime } from '../../../lib/utc-time.ts';
import { namedEndpoint } from '../../account/named-endpoint.ts';
import { ownToken } from '../../account/own-token.ts';
import { tellingOfWaits } from '../../account/waiting.ts';
import type { Call } from '../../command-line/command.ts';
import { shownName } from '../../cluster/naming.ts';
import { namedSecrets, ReadConfigMaps } from '../../dry/ports/data.ts';
import { DryRun } from '../../dry/dry-run.ts';
import type { Turned } from '../../dry/turned.ts';
import { verdictOf } from '../../dry/verdict.ts';
import { CliError } from '../../exit.ts';
import type { OpenCloud } from '../../host.ts';
import type { PriceList } from '../../../kinds/for-plugin/prices.ts';
import { registry } from '../../command-line/kinds.ts';
import { Around } from '../../objects/around.ts';
import type { PlanData } from '../../output/plan-shape.ts';
import { entriesOf, type Entry, type Planned, refusedEntry } from '../entries.ts';
import { tellingAccounts } from './accounts-changed.ts';
import { marked } from './marked.ts';
import { provenBefore } from './proven-before.ts';
import { priced } from '../money.ts';
import { awake, tellingPauses } from '../pauses.ts';
import { withTakenAlong } from './with-taken-along.ts';
import { clusterUidOf, dataSource, surroundings } from './surroundings.ts';
import { tellingSecrets } from './untold-secrets.ts';
import { idOf, type Target } from '../targets/targets.ts';
import { accountsOf, notWritable } from './unwritable.ts';

export interface Wishes {
  readonly timeout: Millis;
  /** Secrets that are applied with the targets. */
  readonly brought: ReadonlySet<string>;
  /** When an approval that travels with the change ends. */
  readonly until: Millis;
  /** Prices that no catalogue tells; absent: nobody asks what it costs. */
  readonly prices?: PriceList['own'];
}
export interface Way extends Wishes {
  readonly connector: OpenCloud;
}
export interface Seen {
  readonly entries: readonly Entry[];
  readonly accounts: PlanData['accounts'];
  /** Accounts to which nothing is sent now. */
  readonly unwritable: NonNullable<PlanData['notWritable']>;
  /** How many deletions of the plan would be held, because they are too many at once. */
  readonly held: number;
}

/** Runs the engine over the cluster with the targets in it, in their order. */
export const look = (call: Call, targets: readonly Target[], way: Way): Promise<Seen> =>
  tellingOfWaits(call.session, way.connector, () => looked(call, targets, way));

const fromAccount = (entry: Entry): Entry => ({ ...entry, basis: 'account' });

async function looked(call: Call, targets: readonly Target[], way: Way): Promise<Seen> {
  const { connector, timeout, until, brought } = way;
  const { session } = call;
  const { clock, random, signal } = session.host;
  const asked = targets.flatMap(({ object }) => object ?? []);
  const wanted = asked.map(awake);
  const there = await surroundings(session, wanted);
  const objects = overlaid(there, wanted);
  const token = await ownToken(call);
  const data = await dataSource(session, objects, { own: token, brought });
  const clusterUid = await clusterUidOf(session, objects);
  const dry = new DryRun({
    connector,
    looksAt: registry.kinds.filter(({ kind }) => wanted.some((object) => object.kind === kind)),
    secrets: namedSecrets(data),
    configMaps: new ReadConfigMaps(data),
    clock,
    random,
    clusterUid,
    signal,
  });
  try {
    for (const object of objects) dry.put(object);
    const named = accountsOf(objects, wanted);
    const accounts = await connected(dry, named, way);
    for (const { account, user } of accounts)
      session.say(`reading as user ${user} with ${token === undefined ? `the token of ${account}` : 'your own token'}`);
    const turned = await dry.plan(wanted, timeout);
    refuseUnknown(turned);
    const planned = turned.map((one, at) => plannedOf(one, wanted[at]));
    const withMarks = await marked(dry, entriesOf(planned, until), { turned, there, signal });
    const withSecrets = withMarks.map(tellingSecrets(turned));
    const told = withTakenAlong(withSecrets, new Around(objects)).map(fromAccount).map(tellingPauses(asked, session.now));
    const entries = way.prices === undefined ? told : await priced(dry, told, turned, { own: way.prices, signal });
    const whole = entries.map(tellingAccounts(there, asked));
    return { entries: inOrder(targets, whole), accounts, unwritable: notWritable(named, session.now), held: heldOf(targets, planned) };
  } finally {
    dry.close();
  }
}

const plannedOf = (one: Turned, wanted: Resource | undefined): Planned => ({
  object: one.object,
  verdict: provenBefore(wanted, verdictOf(one)),
  asksLater: isNew(wanted),
});
const isNew = (object: Resource | undefined): boolean => object !== undefined && spendsApproval(object);

/** What is protected, or what that is in, is held too, and is no matter of how many go. */
const isOfMany = ({ object, verdict: { on = [] } }: Planned): boolean => on.includes(heldBy({ key: accountKey(object) }));

export function heldOf(targets: readonly Target[], planned: readonly Planned[]): number {
  const going = new Set(targets.filter(({ goes }) => goes).map(idOf));
  return planned.filter((one) => isOfMany(one) && going.has(objectId(one.object.kind, one.object.metadata))).length;
}

const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;

/** What is there, and over it what would be. Accounts first: what others bear is signed for theirs. */
export function overlaid(there: readonly Resource[], wanted: readonly Resource[]): readonly Resource[] {
  const all = new Map([...there, ...wanted].map((object) => [objectId(object.kind, object.metadata), object] as const));
  return [...all.values()].toSorted((a, b) => Number(isAccount(b)) - Number(isAccount(a)));
}

/** Each account that can be read; one that cannot ends it, as nothing could be told of its objects. */
async function connected(
  dry: DryRun,
  accounts: readonly Resource[],
  { connector: { endpoints }, timeout }: Way,
): Promise<PlanData['accounts']> {
  for (const account of accounts) namedEndpoint(account, endpoints);
  const turned = await dry.connect(accounts, timeout);
  return turned.map((one) => {
    const known = dry.connected(one.object.metadata);
    if (known === undefined)
      throw new CliError(
        4,
        `${shownName(one.object)} cannot be read: ${verdictOf(one).message ?? 'it is not connected'}. Nothing was written`,
      );
    const { account: id, user } = known.connection.identity;
    const readAt = shownTime(known.connection.apiNow());
    return { account: shownName(one.object), id, user, endpoint: String(one.object.spec['endpoint']), readAt };
  });
}

/** A plan that leaves something out would be taken for the whole. */
function refuseUnknown(turned: readonly Turned[]): void {
  for (const one of turned) {
    const { unknown, message = 'it could not be read' } = verdictOf(one);
    if (unknown === true) throw new CliError(4, `${shownName(one.object)}: ${message}. Nothing was written`);
  }
}

export function inOrder(targets: readonly Target[], entries: readonly Entry[]): readonly Entry[] {
  const known = new Map(entries.map((entry) => [objectId(entry.kind, entry), entry] as const));
  return targets.map((target) => known.get(idOf(target)) ?? refusedEntry(target));
}
