import type { Access } from '../../engine/model/account.ts';
import { releaseAnnotation } from '../../engine/model/annotations.ts';
import { belongsTo, heldBy, lostBy, type MassHold, nameOf } from '../../engine/guard/release-code.ts';
import { fateOf } from '../../engine/model/policy.ts';
import { keyOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { counted } from '../../lib/counted.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { chosen } from './chosen.ts';
import { perform } from './gesture.ts';

/** Lets go on what the brake, or the stop for mass losses, holds: exactly what is held now. */
export const release: Verb = async (call) => {
  const [word = 'default', ...more] = call.args;
  if (more.length > 0) throw new CliError(2, 'one CloudAccount at a time');
  const args = [word.includes('/') ? word : `${registry.connection.shortName}/${word}`];
  const [account] = await chosen({ ...call, args }, 'release');
  if (account?.kind !== registry.connection.kind)
    throw new CliError(2, `${word} is no CloudAccount: what is held is released on the account`);
  const holds = holdsOf(account);
  const nothing = [`Nothing of ${shownName(account)} is held.`];
  if (holds.length === 0 || on(call.flags, 'list')) return listed(call, account, holds, nothing);
  const index = chosenHold(call, account, holds);
  const hold = holds[index];
  if (hold === undefined) return perform(call, [], nothing);
  const held = await heldObjects(call, account, hold);
  if (on(call.flags, 'keep')) return kept(call, held);
  return perform(
    call,
    [
      {
        object: account,
        annotations: { [releaseAnnotation]: hold.release },
        shown: [`/status/held/${index}`],
        level: 'C2',
        expected: String(hold.count),
        facts: [
          `${shownName(account)}: of ${ofHold(hold)} ${counted(hold.count, 'object is', 'objects are')} let go`,
          ...held.map(fateText),
          ...unlisted(hold, held),
        ],
        afterwards: `Of ${ofHold(hold)} ${counted(hold.count, 'object is', 'objects are')} released. What is added from now on is held anew.`,
      },
    ],
    nothing,
  );
};

const holdsOf = ({ status }: Resource): readonly MassHold[] => (status?.['held'] ?? []) as readonly MassHold[];
const ofHold = ({ namespace, kind }: MassHold): string =>
  [...(kind === undefined ? [] : [`kind ${kind}`]), ...(namespace === undefined ? [] : [`namespace ${namespace}`])].join(' in ');

/** Specs are never edited here: what they say comes from somewhere. */
async function kept(call: Call, held: readonly Resource[]) {
  const going = held.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const patch = JSON.stringify({ spec: { lifecycle: { onDelete: 'Retain' } } });
  const lines = going.map(
    ({ kind, metadata }) => `kubectl patch -n ${metadata.namespace} ${kind.toLowerCase()}/${metadata.name} --type merge -p '${patch}'`,
  );
  const nothing = ['None of them is being deleted: there is nothing to keep.'];
  return perform(call, [], lines.length === 0 ? nothing : lines);
}

async function listed(call: Call, account: Resource, holds: readonly MassHold[], nothing: readonly string[]) {
  const objects = await Promise.all(holds.map((hold) => heldObjects(call, account, hold)));
  const lines = holds.flatMap((hold, index) => [
    `${ofHold(hold)}: ${hold.message}`,
    ...(objects[index] ?? []).map(fateText),
    ...unlisted(hold, objects[index] ?? []),
  ]);
  return perform(call, [], lines.length === 0 ? nothing : lines);
}

/** The account counts what is on its way; an object tells that it is held a moment later, or to somebody who may read it. */
const unlisted = ({ count }: MassHold, held: readonly Resource[]): readonly string[] =>
  count === held.length
    ? []
    : [
        `  the account counts ${count}, and ${counted(held.length, 'object says', 'objects say')} by now that ${held.length === 1 ? 'it is' : 'they are'} held. If that is not what you mean, look again in a minute: kubectl cloud release --list`,
      ];

/** One at a time: the account's annotation has room for one value. */
function chosenHold({ flags }: Call, account: Resource, holds: readonly MassHold[]): number {
  const of = text(flags, 'of');
  const index = holds.findIndex((hold) => of === undefined || nameOf(hold) === of);
  const names = holds.map(nameOf).join(', ');
  if (index === -1) throw new CliError(3, `nothing of ${of} is held by ${shownName(account)}; held are: ${names}`);
  if (of === undefined && holds.length > 1)
    throw new CliError(
      2,
      `several are held by ${shownName(account)}: ${names}. Write one of them: kubectl cloud release ${typed(account)} --of NAME`,
    );
  return index;
}

/** Those whose status says so, in the namespaces that may use the account. */
async function heldObjects({ session }: Call, account: Resource, { namespace, kind }: MassHold): Promise<readonly Resource[]> {
  const key = keyOf(account);
  const access = (account.spec['access'] ?? []) as readonly Access[];
  const namespaces = namespace === undefined ? [...new Set([key.namespace, ...access.flatMap((one) => one.namespaces)])] : [namespace];
  const kinds = kind === undefined ? registry.kinds : [registry.kind(kind)];
  const reader = await session.reader();
  const lists = await Promise.all(namespaces.flatMap((one) => kinds.map((each) => reader.list(each, one))));
  const word = kind === undefined ? heldBy({ key }) : lostBy({ key }, namespace);
  return lists.flat().filter((object) => belongsTo({ key }, object) && isWaitingFor(object, word));
}

const isWaitingFor = ({ status }: Resource, word: string): boolean =>
  Array.isArray(status?.['waitingFor']) && status['waitingFor'].includes(word);

function fateText(object: Resource): string {
  const remade = object.metadata.deletionTimestamp === undefined;
  const path = object.status?.['path'];
  return `  ${shownName(object)}: ${remade ? `is made anew, empty${path === undefined ? '' : ` (${String(path)})`}` : fateOf(object)}`;
}
