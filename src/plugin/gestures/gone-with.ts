import { KubeError, type Resource } from '../../engine/ports/kubernetes.ts';
import { asCollection } from '../../resource/index.ts';
import { mergePatch, shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { registry } from '../kinds.ts';
import { linksOf } from '../links.ts';
import type { Session } from '../session.ts';
import { adoptsTheGone } from '../stale-adopt.ts';

/** What is made anew is empty: which objects stand for what was in it, and which manifests still name what is gone. */
export async function goneWith(session: Session, object: Resource): Promise<readonly string[]> {
  const inside = await insideOf(session, object);
  const all = inside.map((one) => `  ${bySelf(one) ? `${shownName(one)}: by itself` : `kubectl cloud recreate ${typed(one)}`}`);
  return [
    ...(all.length === 0 ? [] : ['  What was in it went with it, and is made anew after it, empty:', ...all.map((line) => `  ${line}`)]),
    ...[object, ...inside].flatMap(adoptLines),
  ];
}

/** Objects of what goes with its parent, where the spec names this one as that. */
async function insideOf(session: Session, object: Resource): Promise<readonly Resource[]> {
  const reader = await session.reader();
  const kinds = registry.kinds.filter((kind) => asCollection(kind)?.goesWithParent === true && namesParent(kind.kind, object.kind));
  const lists = await Promise.all(kinds.map((kind) => reader.list(kind, object.metadata.namespace).catch(unread)));
  return lists.flat().filter((one) => isInside(one, object));
}
/** Whoever may not read them is told the rest. */
function unread(error: unknown): readonly Resource[] {
  if (error instanceof CliError || (error instanceof KubeError && error.fault === 'Forbidden')) return [];
  throw error;
}

const parentField = (kind: string): string => `spec.${asCollection(registry.kind(kind))?.parent?.ref ?? ''}`;
const namesParent = (kind: string, parent: string): boolean =>
  registry
    .sites(kind)
    .some(({ at, what }) => what.is === 'ref' && what.target.kind === parent && `spec.${at.join('.')}` === parentField(kind));
const isInside = (one: Resource, { kind, metadata: { namespace, name } }: Resource): boolean =>
  linksOf(one).some(
    (link) =>
      link.is === 'object' &&
      link.field === parentField(one.kind) &&
      link.kind === kind &&
      link.key.namespace === namespace &&
      link.key.name === name,
  );

/** A proven loss has it made anew without a yes. */
function bySelf({ kind, spec }: Resource): boolean {
  const { onMissing } = (spec['lifecycle'] ?? {}) as { readonly onMissing?: string };
  return (onMissing ?? asCollection(registry.kind(kind))?.defaults.onMissing) === 'Recreate';
}

function adoptLines(object: Resource): readonly string[] {
  const id = adoptsTheGone(object);
  return id === undefined
    ? []
    : [
        `  spec.adopt of ${shownName(object)} names ${id}, which is gone: take it out of its manifest (in Git, where it comes from there), and here:`,
        `    ${mergePatch(object, { spec: { adopt: null } })}`,
      ];
}
