import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { isAboutAll, nothing, selected } from '../cluster/select.ts';
import { tellSkew } from '../cluster/skew.ts';
import { on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { Landscape } from '../objects/landscape.ts';
import type { WhyData } from '../output/shapes.ts';
import { inAccount, linesOf, unknownLine } from '../diff/diff.ts';
import { mostFollowed } from './chain.ts';
import { explain, type Explained } from './explain.ts';
import { told } from './groups.ts';
import { goneBefore } from './went.ts';

/** Why an object is not as wanted: one sentence, then what it waits for, down to what somebody can do. */
export const why: Verb = async (call) => {
  const { session } = call;
  const objects = await selected(call);
  if (objects.length === 0) return { exit: 0, kind: 'Why', data: { objects: [] }, lines: [await nothing(call, 'No such objects')] };
  const landscape = await landscapeOf(call, objects);
  const [answers] = await Promise.all([
    Promise.all(objects.map((object) => explain(call, landscape, { object, ofFew: objects.length <= mostFollowed }))),
    tellSkew(
      session,
      objects.map(({ kind }) => kind),
    ),
  ]);
  const now = text(call.flags, 'against') === 'account' ? await inAccount(call, objects, 'why') : undefined;
  const data: WhyData = {
    objects: answers.map(({ data: one }) => ({
      ...one,
      ...(now !== undefined && {
        differs: [
          ...now.differences.filter(({ object }) => object === one.object).flatMap(linesOf),
          ...now.unknown.filter(({ object }) => object === one.object).map(unknownLine),
        ],
      }),
    })),
  };
  return {
    exit: data.objects.every(({ well, differs = [] }) => well && differs.length === 0) ? 0 : 1,
    kind: 'Why',
    data,
    lines: [...toldLines(answers, data, session.now), ...(await goneBefore(session, landscape, objects))],
  };
};

async function landscapeOf(call: Call, objects: readonly Resource[]): Promise<Landscape> {
  const { session, flags } = call;
  const namespace = on(flags, 'allNamespaces') ? undefined : await session.namespace();
  const listed = isAboutAll(call) ? registry.kinds.map(({ kind }) => kind) : [];
  return new Landscape(await session.reader(), objects, { kinds: new Set(listed), namespace });
}

const toldLines = (answers: readonly Explained[], data: WhyData, now: number): readonly string[] =>
  told(
    answers.map((answer, at) => ({ ...answer, differing: differing(data.objects[at]?.differs) })),
    now,
  );

/** What the account says now, where it was asked. */
function differing(lines: readonly string[] | undefined): readonly string[] {
  if (lines === undefined) return [];
  return lines.length === 0
    ? ['The account, read now, has what the spec asks for.']
    : ['The account, read now:', ...lines.map((one) => `  ${one}`)];
}
