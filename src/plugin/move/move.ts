import type { Resource } from '../../engine/ports/kubernetes.ts';
import { asCollection } from '../../resource/index.ts';
import { shownName } from '../cluster/naming.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { confirm } from '../terminal/confirm.ts';
import { CliError } from '../exit.ts';
import { durationOf, on, text } from '../command-line/flag.ts';
import { kindFrom, registry } from '../command-line/kinds.ts';
import { doubts } from './doubts.ts';
import { markOf, type Moving, type Sides, withSides } from './sides.ts';
import { agrees, begin, isBegun, letGo, takeOver, until } from './steps.ts';
import type { MoveData } from '../output/written-shapes.ts';
import { goals } from '../wait/goal.ts';
import { counted } from '../../lib/counted.ts';

/** Objects to another cluster: watched there, let go here, managed there. */
export const move: Verb = (call) =>
  withSides(call, async (sides) => {
    const moving = await chosen(call, sides);
    const open = moving.filter(({ here, there }) => here !== undefined || isBegun(there));
    if (open.length === 0) return answer(call, moving, nothingLeft(call, moving));
    const wrong = await doubts(sides, open);
    if (wrong.length > 0) throw new CliError(3, ['nothing was written, because:', ...wrong.map((why) => `  ${why}`)]);
    for (const one of open)
      call.session.say(`${nameOf(one, sides)}: ${pathOf(one)} is managed from namespace ${sides.there.namespace} there, and goes here`);
    if (on(call.flags, 'dryRun')) return answer(call, moving, 'Nothing was written.');
    const [first] = moving;
    const expected = moving.length === 1 && first !== undefined ? first.name : String(moving.length);
    await confirm(call, {
      level: 'C2',
      expected,
      about: `${counted(open.length, 'object moves', 'objects move')} to another cluster`,
    });
    await performed(call, sides, open);
    return answer(call, moving, `${counted(open.length, 'object is', 'objects are')} managed there. Nothing was changed in the account.`);
  });

/** Labels name nothing that has moved already, and none may have been mistyped either. */
function nothingLeft({ flags }: Call, moving: readonly Moving[]): string {
  const labels = text(flags, 'selector');
  return labels === undefined || moving.length > 0
    ? 'Nothing is left to move.'
    : `No object here that could be moved has labels ${labels}: nothing is left to move.`;
}

const nameOf = ({ kind, name }: Moving, { here: { namespace } }: Sides): string =>
  shownName({ kind: kind.kind, metadata: { namespace, name } });
const pathOf = ({ here, there }: Moving): string => String(here?.status?.['path'] ?? there?.status?.['path']);

/** All go one step together: what one refers to must not be gone before it is there. */
async function performed({ flags }: Call, sides: Sides, open: readonly Moving[]): Promise<void> {
  const limit = durationOf(flags, 'timeout');
  for (const one of open) await begin(sides, one);
  const seen = await again(sides, open);
  const other = seen.find(({ here, there }) => here !== undefined && markOf(there) !== here.metadata.uid);
  if (other !== undefined)
    throw new CliError(3, `${nameOf(other, sides)} has a namesake there by now, which was not made by this; nothing was let go`);
  const paths = new Map(seen.map(({ here, there }) => [there?.metadata.uid, (here ?? there)?.status?.['path']]));
  await until(sides.there, theirs(seen), {
    judge: (object, before) => agrees(paths.get(before.metadata.uid))(object, before),
    limit,
    step: 'there:',
  });
  for (const { here } of seen) if (here !== undefined) await letGo(sides, here);
  const mine = seen.flatMap(({ here }) => here ?? []);
  await until(sides.here, mine, { judge: (object, before) => goals.Deleted(object, before), limit, step: 'here:' });
  for (const there of theirs(await again(sides, open))) if (isBegun(there)) await takeOver(sides, there);
  await until(sides.there, theirs(await again(sides, open)), {
    judge: (object, before) => goals.Synced(object, before, false),
    limit,
    step: 'there:',
  });
}

const theirs = (moving: readonly Moving[]): readonly Resource[] => moving.flatMap(({ there }) => there ?? []);
const again = (sides: Sides, moving: readonly Moving[]): Promise<readonly Moving[]> =>
  Promise.all(moving.map(({ kind, name }) => onBoth(sides, { kind, name })));

async function onBoth({ here, there }: Sides, { kind, name }: Pick<Moving, 'kind' | 'name'>): Promise<Moving> {
  return {
    kind,
    name,
    here: await here.reader.get(kind, { namespace: here.namespace, name }),
    there: await there.reader.get(kind, { namespace: there.namespace, name }),
  };
}

async function chosen({ args, flags }: Call, sides: Sides): Promise<readonly Moving[]> {
  const selector = text(flags, 'selector');
  if (args.length === 0 && selector === undefined) throw new CliError(2, 'move what? Write KIND/NAME, or -l');
  if (args.length > 0) return Promise.all(args.map(async (word) => found(word, await onBoth(sides, partsOf(word)))));
  const kinds = registry.kinds.filter((kind) => asCollection(kind) !== undefined);
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const mine = await sides.here.reader.list(kind, sides.here.namespace, selector);
      const begun = (await sides.there.reader.list(kind, sides.there.namespace, selector)).filter((there) => markOf(there) !== undefined);
      return [...new Set([...mine, ...begun].map(({ metadata }) => metadata.name))].map((name) => ({ kind, name }));
    }),
  );
  return Promise.all(lists.flat().map((one) => onBoth(sides, one)));
}

function partsOf(word: string): Pick<Moving, 'kind' | 'name'> {
  const [kind = '', name = '', ...more] = word.split('/');
  if (name === '' || more.length > 0) throw new CliError(2, `${word} names no object: write KIND/NAME`);
  return { kind: kindFrom(kind), name };
}
function found(word: string, one: Moving): Moving {
  if (one.here === undefined && one.there === undefined) throw new CliError(4, `${word} is not found, here or there`);
  return one;
}

function answer({ flags }: Call, moving: readonly Moving[], said: string): Answer {
  const data: MoveData = {
    dryRun: on(flags, 'dryRun'),
    objects: moving.map((one) => ({ kind: one.kind.kind, name: one.name, path: pathOf(one) })),
  };
  return { exit: 0, kind: 'Move', data, lines: [said] };
}
