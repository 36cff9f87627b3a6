import type { Answer, Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import type { UninstallData } from '../output/shapes.ts';
import { leftIn, stepsOf } from './steps.ts';
import { addedTo, leftBehind, passedOver, strip, stuckIn } from './strip.ts';
import { counted } from '../../lib/counted.ts';

/** What must be done so that the operator goes and nothing goes with it. */
export const uninstall: Verb = (call) => (on(call.flags, 'strip') ? stripped(call) : steps(call));

async function steps({ session }: Call): Promise<Answer> {
  const all = stepsOf(await leftIn(await session.reader(), session.now));
  const data: UninstallData = { steps: all, stripped: [] };
  const next = all.findIndex(({ done }) => !done);
  return { exit: next === -1 ? 0 : 1, kind: 'Uninstall', data, lines: linesOf(all, next) };
}

/** So many commands of a step are shown; `-o json` has all. */
const most = 20;
function linesOf(all: UninstallData['steps'], next: number): readonly string[] {
  const lines = all.flatMap(({ does, done, seen, commands }, index) => {
    const head = `${done ? 'done' : index === next ? 'next' : '    '}  ${index + 1}. ${does}: ${seen}`;
    const shown = done ? [] : commands.slice(0, most).map((command) => `         ${command}`);
    return [
      head,
      ...shown,
      ...(commands.length > shown.length && !done ? [`         and ${commands.length - most} more: -o json lists them all`] : []),
    ];
  });
  return [
    ...lines,
    next === -1 ? 'Nothing is left to do.' : 'Type this again after each step. Where objects come from Git, change them there.',
  ];
}

async function stripped(call: Call): Promise<Answer> {
  const { session, flags } = call;
  const reader = await session.reader();
  const objects = await stuckIn(reader, on(flags, 'allNamespaces') ? undefined : await session.namespace());
  const left = objects.map(leftBehind);
  const data: UninstallData = {
    steps: [],
    stripped: left.map(({ object, path }) => ({ object, ...(typeof path === 'string' && { path }) })),
  };
  const list = left.map(
    ({ object, path }) =>
      `${object}: ${typeof path === 'string' ? `${path} stays in the account` : 'has nothing in the account that is known'}`,
  );
  if (objects.length === 0)
    return { exit: 0, kind: 'Uninstall', data, lines: ['Nothing here is being deleted and held by a finalizer of this operator.'] };
  session.say(...(await passedOver(reader, session.now)));
  if (on(flags, 'dryRun')) return { exit: 0, kind: 'Uninstall', data, lines: [...list, 'Nothing was written.'] };
  session.say(...list);
  const file = text(flags, 'leftBehind') ?? 'left-behind.json';
  const content = addedTo(await session.host.fileText(file), left);
  if (content === undefined) throw new CliError(3, `${file} is there already, and is not of this verb: name another with --left-behind`);
  await strip(call, reader, objects, () => session.host.writeFile(file, content));
  return {
    exit: 0,
    kind: 'Uninstall',
    data,
    lines: [`${counted(objects.length, 'object is', 'objects are')} let go; what stays behind is in ${file}.`],
  };
}
