import { rotateAnnotation } from '../../engine/model/annotations.ts';
import { endOf, mostRetiring, overlapOf, shownRetiring } from '../../engine/model/replacing.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { asCollection } from '../../resource/index.ts';
import { shownName, typed } from '../cluster/naming.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { registry, renewable } from '../command-line/kinds.ts';
import { adoptsTheGone } from '../objects/stale-adopt.ts';
import { chosen } from './chosen.ts';
import { type Gesture, perform } from './gesture.ts';
import { renewingOf } from '../operations/chosen-action.ts';
import { counted } from '../../lib/counted.ts';

/** Has what objects give out renewed. */
export const rotate: Verb = async (call) =>
  perform(
    call,
    (await chosen(call, 'rotate')).map((object) => gestureOf(call, object)),
    ['Nothing to renew.'],
  );

function gestureOf({ session }: Call, object: Resource): Gesture {
  const { rotation } = asCollection(registry.kind(object.kind)) ?? {};
  if (rotation === undefined) throw new CliError(3, notRenewed(object));
  const { path } = object.status ?? {};
  if (path === undefined) throw new CliError(3, `${shownName(object)} has no cloud resource yet, so there is nothing to renew`);
  const [what, old] = rotation.reset === undefined ? besideOf(object, String(path)) : resetOf(object, String(path));
  const waits = waitsFor(object);
  const seen =
    waits.length === 0
      ? `To see it done: kubectl cloud wait --for=Synced ${typed(object)}`
      : `How it stands: kubectl cloud why ${typed(object)}`;
  return {
    object,
    annotations: { [rotateAnnotation]: new Date(session.now).toISOString() },
    shown: ['/status/path'],
    level: 'C2',
    expected: object.metadata.name,
    inShort: `${shownName(object)}: its credential is renewed`,
    facts: [`${shownName(object)}: its credential is renewed`, what, ...old, ...waits],
    afterwards: `its renewal is asked for. ${seen}`,
  };
}

function notRenewed(object: Resource): readonly string[] {
  const verbs = renewingOf(object.kind);
  if (verbs.length === 0) return [`${shownName(object)} gives out nothing that it could renew. Kinds that do: ${renewable().join(', ')}`];
  return [
    `what ${shownName(object)} gives out is not renewed in this way, and nothing was written. Renew it by:`,
    ...verbs.map((verb) => `  kubectl cloud ${verb} ${typed(object)}`),
  ];
}

/** As `what` and what becomes of the old one. */
type Told = readonly [string, readonly string[]];
const environment = 'what reads the Secret only at its start, as a pod that has it as environment, is to be restarted';

function besideOf(object: Resource, path: string): Told {
  const hours = overlapOf(object) / 3_600_000;
  const ends =
    hours === 0
      ? `  the old values are refused right after, as ${path} is deleted`
      : `  the old values work for ${counted(hours, 'hour')} more, and are refused then, as ${path} is deleted`;
  return [
    `  another one is made in the account, and ${secretOf(object)} has its values then`,
    [ends, `  ${environment} ${hours === 0 ? 'at once' : 'by then'}`, ...namedText(object)],
  ];
}

function namedText(object: Resource): readonly string[] {
  const named = adoptsTheGone(object);
  if (named === undefined) return [];
  return [
    `  spec.adopt names the old one (${named}), which counts no more here then. In a cluster that is rebuilt from Git, or under another name, the object would ask for it: take it out of the manifest, or name the new one there`,
  ];
}

const resetOf = (object: Resource, path: string): Told => [
  `  ${path} is given another secret, and ${secretOf(object)} has it then`,
  ['  the old one is refused at once', `  ${environment} at once`],
];

/** By the status: what writes it knows its name. */
function secretOf({ metadata, status }: Resource): string {
  const outputs = (status?.['outputs'] ?? []) as readonly { readonly kind: string; readonly name: string }[];
  const names = outputs.filter(({ kind }) => kind === 'Secret').map(({ name }) => `${metadata.namespace}/${name}`);
  return names.length === 0 ? 'its Secret' : `Secret ${names.join(', ')}`;
}

/** The operator has no more than so many work beside the one in use, and what is asked for beyond waits. */
function waitsFor(object: Resource): readonly string[] {
  const [next, ...more] = shownRetiring(object).toSorted((a, b) => endOf(a) - endOf(b));
  if (next === undefined || more.length + 1 < mostRetiring) return [];
  return [
    `  not at once: ${counted(more.length + 1, 'earlier one')} still work beside it, which is the most. It is made when ${next.path} goes, at ${next.until}; a shorter spec.rotation.overlapHours has them go sooner`,
  ];
}
