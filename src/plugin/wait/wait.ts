import type { Resource } from '../../engine/ports/kubernetes.ts';
import { duration } from '../../flag-values.ts';
import { brokenLinks } from '../objects/broken-links.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { typed } from '../cluster/naming.ts';
import { isAbout, nowhere, selected } from '../cluster/select.ts';
import { asOperation } from '../../resource/index.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { Landscape } from '../objects/landscape.ts';
import type { Session } from '../session.ts';
import type { WaitData } from '../output/shapes.ts';
import { type Goal, goals, isKeptFrom, type Step, type Verdict } from './goal.ts';
import { vainly } from './vain.ts';
import { watched } from './watched.ts';

/** Waits until objects are as asked. */
export const wait: Verb = async (call) => {
  const { flags } = call;
  if (!isAbout(call)) throw new CliError(2, 'wait for what? Write KIND/NAME, a kind, -f, -l, -n or -A');
  const limit = duration(text(flags, 'timeout') ?? '');
  if (limit === undefined) throw new CliError(2, `--timeout=${text(flags, 'timeout')} is no duration: write for example 90s, 15m or 1h`);
  const what = (text(flags, 'for') ?? 'Ready') as keyof typeof goals;
  const objects = await selected(call);
  if (objects.length === 0) return nothingThere(call, what);
  const other = what === 'phase=Succeeded' ? objects.find(({ kind }) => asOperation(registry.kind(kind)) === undefined) : undefined;
  if (other !== undefined)
    throw new CliError(
      2,
      `${other.kind} ${other.metadata.name} has no phase: --for=phase=Succeeded is for operations, for example cop/NAME`,
    );
  const meant = what === 'Observed' && !isNamed(call) ? objects.filter(isOnlyObserved) : objects;
  return waitFor(call, meant, { what, limit, patient: text(flags, 'onApproval') === 'wait' });
};

/** A mistyped label must not pass for a success; only what is to be gone, or at rest, may be nothing. */
async function nothingThere(call: Call, what: keyof typeof goals): Promise<Answer> {
  const said = isNamed(call) ? `there is no ${call.args.join(' ')}${await nowhere(call)}` : `there is no such object${await nowhere(call)}`;
  if (!['Deleted', 'Quiet', 'Observed'].includes(what)) throw new CliError(4, said);
  return { exit: 0, kind: 'Wait', data: { for: what, objects: [] } satisfies WaitData, lines: [`T${said.slice(1)}`] };
}

/** One by one, so that each is meant. */
const isNamed = ({ args }: Call): boolean => args.some((word) => word.includes('/')) || args.length > 1;
/** An account, or what is managed beside, never comes to be observed. */
const isOnlyObserved = ({ spec }: Resource): boolean =>
  (spec['lifecycle'] as { readonly management?: string } | undefined)?.management === 'Observe';

export interface Waiting {
  readonly what: keyof typeof goals;
  readonly limit: number;
  /** An object that awaits approval does not end it. */
  readonly patient: boolean;
}

/** Also for gestures with --wait: `objects` as they were read before. */
export async function waitFor(call: Call, objects: readonly Resource[], { what, limit, patient }: Waiting): Promise<Answer> {
  const { session } = call;
  const goal: Goal = goals[what];
  const since = new Map<string, number>();
  const vain = vainly(session, patient);
  const befores = new Map(objects.map((object) => [nameIn(object), object]));
  const verdicts = await watched(session, objects, {
    judge: (object, before) => goal(object, before, patient, { since, now: session.host.clock.monotonic() }),
    limit,
    ...(what === 'Quiet' && { every: 1000 }),
    tell: (line) => tellStep(call, line),
    vain: (waiting) => vain(waiting.filter((object) => isKeptFrom[what](object, befores.get(nameIn(object)) ?? object))),
  });
  const data: WaitData = {
    for: what,
    objects: [...verdicts].map(([object, { state, reason, message }]) => ({ object, state, reason, message })),
  };
  const failed = objects.filter((object) => verdicts.get(nameIn(object))?.state === 'failed');
  if (failed.length > 0) return { exit: 1, kind: 'Wait', data, lines: failed.flatMap((object) => troubleOf(object, verdicts)) };
  const late = objects.filter((object) => verdicts.get(nameIn(object))?.state === 'waiting');
  const [first] = late;
  if (first === undefined) return { exit: 0, kind: 'Wait', data, lines: linesOf(verdicts, 'reached') };
  const unfound = late.filter((object) => verdicts.get(nameIn(object))?.reason === 'ReferenceNotReady');
  const ended = `Time ran out. What is waited for: kubectl cloud why ${typed(first)}`;
  return { exit: 6, kind: 'Wait', data, lines: [...linesOf(verdicts, 'waiting'), ...(await misnamed(session, unfound)), ended] };
}

const stepHead = { apiVersion: 'cli.cloudhosting.dev/v1', kind: 'WaitStep' };

/** Steps are talk; for a script, which asks for lines, they are data. */
function tellStep({ session, flags }: Call, { at, object, verdict, isFirst }: Step): void {
  if (text(flags, 'output') === 'jsonl') return session.print(JSON.stringify({ ...stepHead, at, object, ...verdict }));
  // What ends the wait is in the answer, and so is what was as asked from the first, which was no step.
  if (verdict.state === 'waiting' || (verdict.state === 'reached' && !isFirst))
    session.say(`${at.slice(11, 19)} ${object}  ${verdict.reason}${verdict.message === '' ? '' : `: ${verdict.message}`}`);
}

const nameIn = ({ kind, metadata }: Resource): string => `${kind} ${metadata.namespace}/${metadata.name}`;

const linesOf = (verdicts: ReadonlyMap<string, Verdict>, state: Verdict['state']): readonly string[] =>
  [...verdicts]
    .filter(([, verdict]) => verdict.state === state)
    .map(([object, verdict]) => `${object}  ${verdict.state === 'reached' ? reachedText(verdict) : verdict.reason}`);
/** What is asked for may be there although somebody has to look after something else. */
const reachedText = ({ reason }: Verdict): string =>
  reason === 'ApprovalRequired' ? 'Available, and not as wanted: a change awaits approval, kubectl cloud why says which' : reason;

/** Each takes reads, and whoever waits for hundreds looks at none of them alone. */
const mostLooked = 10;
/** A name that is nearly one: nobody need look further. */
async function misnamed(session: Session, late: readonly Resource[]): Promise<readonly string[]> {
  const landscape = new Landscape(await session.reader(), late);
  const lines: string[] = [];
  for (const object of late.slice(0, mostLooked)) lines.push(...(await brokenLinks(landscape, object)));
  return lines;
}

function troubleOf(object: Resource, verdicts: ReadonlyMap<string, Verdict>): readonly string[] {
  const { reason = '', message = '' } = verdicts.get(nameIn(object)) ?? {};
  return [`${nameIn(object)} needs a person: ${reason}: ${message}`, `  kubectl cloud why ${typed(object)}`];
}
