import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { group } from '../../generate/names.ts';
import type { Millis } from '../../lib/clock.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { shownName } from '../cluster/naming.ts';
import { remove } from '../cluster/remove.ts';
import { selected } from '../cluster/select.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { confirm } from '../terminal/confirm.ts';
import { stateOf } from '../objects/facts.ts';
import { ageOf, on } from '../command-line/flag.ts';
import type { OperationsData } from '../output/written-shapes.ts';
import { table } from '../output/table.ts';
import { changedBy, operationKind } from './chosen-action.ts';
import { counted } from '../../lib/counted.ts';

const [day, hour]: readonly [Millis, Millis] = [86_400_000, 3_600_000];
const usual: Millis = 30 * day;

/** What is done once, how far it is; with --prune without what is over. */
export const ops: Verb = async (call) => {
  const { args, flags, session } = call;
  const prune = on(flags, 'prune');
  const age = ageOf(flags, 'olderThan', 'older-than') ?? (prune ? usual : undefined);
  const { shortName, kind } = operationKind();
  const all = await selected({ ...call, args: args.length === 0 ? [shortName] : args.map((name) => withKind(name, shortName)) });
  const chosen = all.filter((object) => object.kind === kind && (age === undefined || endedBefore(object, session.now - age)));
  if (!prune) return answer(call, chosen, new Set());
  const old = chosen.filter(mayGo);
  if (old.length > 0) return pruned(call, old);
  return {
    ...answer(call, [], new Set()),
    lines: nothingLines(
      all.filter((object) => object.kind === kind),
      age ?? usual,
    ),
  };
};

const withKind = (name: string, shortName: string): string => (name.includes('/') ? name : `${shortName}/${name}`);

interface Shown {
  readonly phase?: string;
  readonly finishedAt?: string;
}
const shownOf = ({ status = {} }: Resource): Shown => status;
const isMine = ({ metadata }: Resource): boolean => metadata.labels?.[`${group}/made-by`] === 'cli';

function endedBefore(object: Resource, time: Millis): boolean {
  const { finishedAt } = shownOf(object);
  return finishedAt !== undefined && Date.parse(finishedAt) <= time;
}

/** Of what nobody knows the end only its object tells that somebody has to look; what is being deleted goes by itself. */
const mayGo = (object: Resource): boolean => isMine(object) && shownOf(object).phase !== 'Unknown' && !isDeleting(object);

/** Whoever has just seen one end is told from when on it goes. */
function nothingLines(all: readonly Resource[], age: Millis): readonly string[] {
  const none = `Nothing to prune: none of what this program made ended more than ${ageText(age)} ago`;
  const ends = all.filter(mayGo).flatMap(({ status }) => Date.parse(String(status?.['finishedAt'])) || []);
  if (ends.length === 0) return [`${none}.`];
  const of = ends.length === 1 ? 'The one that is over can go' : `Of ${ends.length} that are over the first can go`;
  return [
    `${none}.`,
    `${of} from ${shownTime(Math.min(...ends) + age)} on; sooner with a shorter age: kubectl cloud ops --prune --older-than 1m`,
  ];
}
const ageText = (age: Millis): string =>
  age % day === 0 ? `${age / day}d` : age % hour === 0 ? `${age / hour}h` : `${Math.round(age / 60_000)}m`;

async function pruned(call: Call, old: readonly Resource[]): Promise<Answer> {
  const { session, flags } = call;
  session.say(...old.map(lineOf));
  if (on(flags, 'dryRun')) return answer(call, old, new Set(old));
  const about = counted(old.length, 'operation that is over goes', 'operations that are over go');
  await confirm(call, { level: 'C1', expected: '', about });
  const reader = await session.reader();
  for (const object of old) await remove(reader, object);
  return answer(call, old, new Set(old));
}

const lineOf = (object: Resource): string => {
  const { phase, finishedAt } = shownOf(object);
  return `${shownName(object)}: ${String(object.spec['action'])} ${phase ?? 'Pending'}${finishedAt === undefined ? '' : ` at ${finishedAt}`}`;
};

function answer({ flags }: Call, objects: readonly Resource[], gone: ReadonlySet<Resource>): Answer {
  const operations = objects.map((object): OperationsData['operations'][number] => {
    const { phase = 'Pending', finishedAt } = shownOf(object);
    const { reason } = stateOf(object);
    return {
      operation: shownName(object),
      action: String(object.spec['action']),
      target: String((object.spec['target'] as { readonly name?: unknown } | undefined)?.name),
      changes: changedBy(object),
      phase,
      ...(finishedAt === undefined && reason !== undefined && reason !== phase && { reason }),
      ...(finishedAt !== undefined && { finishedAt }),
      mine: isMine(object),
      pruned: gone.has(object),
    };
  });
  const data: OperationsData = { dryRun: on(flags, 'dryRun'), operations };
  return { exit: 0, kind: 'Operations', data, lines: linesOf(data) };
}

function linesOf({ operations, dryRun }: OperationsData): readonly string[] {
  if (operations.length === 0) return ['No operations.'];
  const rows = operations.map(({ operation, action, target, changes, phase, reason = '', finishedAt = '', mine }) => [
    operation,
    action,
    changes === target ? target : `${target} onto ${changes}`,
    phase,
    reason,
    finishedAt,
    mine ? 'kubectl cloud' : 'another',
  ]);
  const count = operations.filter(({ pruned: went }) => went).length;
  const said = count === 0 ? [] : [dryRun ? `${count} would be deleted. Nothing was written.` : `${count} are deleted.`];
  return [...table(['OPERATION', 'ACTION', 'TARGET', 'PHASE', 'REASON', 'ENDED', 'MADE BY'], rows), ...said];
}
