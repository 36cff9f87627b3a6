import type { Resource } from '../../engine/ports/kubernetes.ts';
import { group, version } from '../../generate/names.ts';
import { type Kept, kept } from '../../kinds/for-plugin/kept.ts';
import type { AnyKind } from '../../resource/index.ts';
import { shownName, typed } from '../cluster/naming.ts';
import type { Answer, Call } from '../command-line/command.ts';
import { confirm } from '../terminal/confirm.ts';
import { CliError } from '../exit.ts';
import { durationOf, on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import type { OperationData } from '../output/written-shapes.ts';
import { waitFor } from '../wait/wait.ts';
import { create, madeBy, type Made } from './create.ts';
import { goesOn, isOnItsWay, sameAlready } from './waiting.ts';

export const keptOf = (verb: string, { kind }: Pick<Resource, 'kind'>): Kept | undefined => kept[verb]?.[kind];

interface Of {
  readonly target: Resource;
  readonly name: string;
}
/** Makes it, and waits until it is there; nothing is lost by it. */
export async function keep(call: Call, what: Kept, { target, name }: Of): Promise<Answer> {
  const { session, flags } = call;
  const kind: AnyKind = registry.kind(what.kind);
  const { accountRef } = target.spec;
  const given = what.takes.flatMap((field) => (text(flags, field) === undefined ? [] : [[field, text(flags, field)] as const]));
  const manifest: Made = {
    apiVersion: `${group}/${version}`,
    kind: kind.kind,
    metadata: { name, namespace: target.metadata.namespace, ...madeBy(call) },
    spec: { [what.of]: { name: target.metadata.name }, ...(accountRef !== undefined && { accountRef }), ...Object.fromEntries(given) },
  };
  const before = await sameAlready(call, kind, { manifest, by: [what.of, ...what.takes], isOpen: isNotThere });
  if (before !== undefined) return joined(call, before);
  const object = shownName({ kind: kind.kind, metadata: manifest.metadata });
  session.say(
    `${object} of ${shownName(target)}: it stays in the account until its object is deleted with spec.lifecycle.onDelete: Delete`,
  );
  const data: OperationData = { dryRun: on(flags, 'dryRun'), operation: object, action: kind.kind };
  if (data.dryRun) return { exit: 0, kind: 'Operation', data, lines: [`Would be made: ${JSON.stringify(manifest)}`] };
  await confirm(call, { level: 'C1', expected: target.metadata.name, about: `${shownName(target)}: ${kind.kind}` });
  const made = await create(call, kind, manifest);
  if (flags['wait'] === false)
    return { exit: 0, kind: 'Operation', data, lines: [`${object} is made. To see it done: kubectl cloud wait ${typed(made)}`] };
  return ended(call, made);
}
const isNotThere = ({ status }: Resource): boolean => status?.['path'] === undefined;
const ended = (call: Call, object: Resource): Promise<Answer> =>
  waitFor(call, [object], { what: 'Ready', limit: durationOf(call.flags, 'timeout'), patient: false });

/** Nothing is written, so nobody is asked. */
function joined(call: Call, before: Resource): Promise<Answer> | Answer {
  const { flags, session } = call;
  const data: OperationData = { dryRun: on(flags, 'dryRun'), operation: shownName(before), action: before.kind };
  if (data.dryRun || flags['wait'] === false) return { exit: 0, kind: 'Operation', data, lines: [isOnItsWay(before), ...goesOn(before)] };
  session.say(isOnItsWay(before));
  return ended(call, before);
}

/** What only such a kind takes, of a line that does something else. */
export function refuseKept(verb: string, { flags }: Call, target: Pick<Resource, 'kind'>): void {
  const fields = Object.values(kept[verb] ?? {}).flatMap(({ takes }) => takes);
  const own = fields.find((field) => field !== 'label' && text(flags, field) !== undefined);
  if (own !== undefined) throw new CliError(2, `${verb} of ${target.kind} takes no --${own}`);
}
