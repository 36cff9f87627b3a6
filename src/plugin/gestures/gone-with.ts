import { fewOf } from '../../lib/few-of.ts';
import { accountKey } from '../../engine/model/account.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { asCollection } from '../../resource/index.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import { adoptsTheGone, sameIdAgain } from '../objects/stale-adopt.ts';

/** What is made anew is empty: which objects stand for what was in it, and which manifests still name what is gone. */
export function goneWith(object: Resource, inside: readonly Resource[]): readonly string[] {
  const all = inside.map((one) => `    ${bySelf(one) ? `${shownName(one)}: by itself` : `kubectl cloud recreate ${typed(one)}`}`);
  return [
    ...(all.length === 0 ? [] : ['  What was in it went with it, and is made anew after it, empty:', ...all]),
    ...(inside.filter(bySelf).length > 1 ? [`  ${heldText(object)}`] : []),
    ...namingText([object, ...inside].filter((one) => adoptsTheGone(one) !== undefined && sameIdAgain(one) === undefined)),
    ...stayingText([object, ...inside].filter((one) => adoptsTheGone(one) !== undefined && sameIdAgain(one) !== undefined)),
  ];
}

/** A person who asks for one says nothing of what is in it. */
function heldText(object: Resource): string {
  const account = { kind: registry.connection.kind, metadata: accountKey(object) };
  return `Where many of a kind vanished at once, those are held until: kubectl cloud release ${typed(account)}`;
}

/** A proven loss has it made anew without a yes. */
export function bySelf({ kind, spec }: Resource): boolean {
  const { onMissing } = (spec['lifecycle'] ?? {}) as { readonly onMissing?: string };
  return (onMissing ?? asCollection(registry.kind(kind))?.defaults.onMissing) === 'Recreate';
}

const mostNamed = 10;
function namingText(objects: readonly Resource[]): readonly string[] {
  if (objects.length === 0) return [];
  const named = objects.map((one) => `${shownName(one)} (${adoptsTheGone(one)})`);
  return [
    `  spec.adopt still names what is gone, of ${fewOf(named, mostNamed)}. Here that counts no more once another one is made. A cluster that is rebuilt from Git would look for it: take it out of the manifests, or name the new one (kubectl cloud doctor --recovery tells which).`,
  ];
}

function stayingText(objects: readonly Resource[]): readonly string[] {
  if (objects.length === 0) return [];
  const named = objects.map((one) => `${shownName(one)} (${adoptsTheGone(one)})`);
  return [`  spec.adopt names what is made now, too, of ${fewOf(named, mostNamed)}: it has the same id. Leave the manifests as they are.`];
}
