import * as z from 'zod';
import { isDeleting, hasFinalizer } from '../../engine/model/annotations.ts';
import { finalizer } from '../../engine/ports/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { plural } from '../../generate/names.ts';
import { type Millis, sleep } from '../../lib/clock.ts';
import { isMissing } from '../../kube/http/status-error.ts';
import { operatorsOf, unprovenText } from '../cluster/installed.ts';
import { shownName } from '../cluster/naming.ts';
import { pathOf, type Reader, withRight } from '../cluster/reader.ts';
import type { Call } from '../command-line/command.ts';
import { confirm } from '../terminal/confirm.ts';
import { CliError } from '../exit.ts';
import { fieldManager } from '../gestures/annotate.ts';
import { registry } from '../command-line/kinds.ts';
import { counted } from '../../lib/counted.ts';
import { isHeld, leasesIn, nameOf, notCounted } from './leases.ts';

/** So long nobody may have worked. */
const quiet: Millis = 60_000;

export interface LeftBehind {
  readonly object: string;
  readonly uid: string;
  readonly account?: unknown;
  readonly path?: unknown;
}

/** What waits for an operator that will never come: those that are being deleted, and nothing else. */
export async function stuckIn(reader: Reader, namespace: string | undefined): Promise<readonly Resource[]> {
  const lists = await Promise.all(registry.kinds.map((kind) => reader.list(kind, namespace)));
  return lists.flat().filter((object) => isDeleting(object) && hasFinalizer(object));
}

/** Together with what an earlier line wrote that did not come to its end; undefined: the file is somebody else's. */
export function addedTo(before: string | undefined, left: readonly LeftBehind[]): string | undefined {
  const known = before === undefined ? [] : earlier(before);
  if (known === undefined) return undefined;
  const uids = new Set(left.map(({ uid }) => uid));
  return `${JSON.stringify([...known.filter(({ uid }) => !uids.has(uid)), ...left], undefined, 2)}\n`;
}
const written = z.array(
  z.strictObject({ object: z.string(), uid: z.string(), account: z.unknown().optional(), path: z.unknown().optional() }),
);
function earlier(text: string): readonly LeftBehind[] | undefined {
  try {
    return written.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export const leftBehind = ({ status, ...object }: Resource): LeftBehind => ({
  object: shownName(object),
  uid: object.metadata.uid,
  ...(status?.['account'] !== undefined && { account: status['account'] }),
  ...(status?.['path'] !== undefined && { path: status['path'] }),
});

/** Ends the line while an operator lives: it would finish the deletion itself, and properly. */
async function refuseWhileOneLives({ session }: Call, reader: Reader): Promise<void> {
  const ready = (await operatorsOf(reader)).operators.filter((one) => !one.ready.startsWith('0 '));
  if (ready.length > 0)
    throw new CliError(
      3,
      `${ready.map(({ name }) => name).join(', ')} runs, and will end these deletions itself: kubectl cloud why says what they wait for`,
    );
  const before = await heldLeases(reader, session.now);
  refuseHeld(before.held);
  session.say(`nobody holds a lease; looking once more in ${quiet / 1000} s`);
  await sleep(session.host.clock, quiet, session.host.signal);
  const after = await heldLeases(reader, session.now);
  const renewed = [...after.renewed].filter(([name, time]) => before.renewed.get(name) !== time).map(([name]) => name);
  refuseHeld([...after.held, ...renewed]);
}

function refuseHeld(names: readonly string[]): void {
  if (names.length === 0) return;
  throw new CliError(
    3,
    `an operator lives: ${names.map((name) => `lease ${name}`).join(' and ')} ${names.length === 1 ? 'is' : 'are'} held, or ${names.length === 1 ? 'was' : 'were'} renewed just now. Scale it down first, and wait until that has run out`,
  );
}

async function heldLeases(
  reader: Reader,
  now: Millis,
): Promise<{ readonly held: readonly string[]; readonly renewed: ReadonlyMap<string, string> }> {
  const leases = await leasesIn(reader);
  const right = 'The right that is missing: list leases.coordination.k8s.io in all namespaces';
  if (leases === undefined) throw new CliError(4, ['whether an operator lives cannot be known', right]);
  return {
    held: leases.ours.filter((lease) => isHeld(lease, now)).map(nameOf),
    renewed: new Map(leases.ours.map((lease) => [nameOf(lease), lease.spec?.renewTime ?? ''])),
  };
}

/** What looks like an operator and keeps nothing from being stripped. */
export async function passedOver(reader: Reader, now: Millis): Promise<readonly string[]> {
  const [{ unproven }, leases] = await Promise.all([operatorsOf(reader), leasesIn(reader)]);
  return [...(unproven.length === 0 ? [] : [unprovenText(unproven)]), ...notCounted(leases, now)];
}

/** Asks, and takes the finalizer off each, while it is the very object and is being deleted. */
export async function strip(call: Call, reader: Reader, objects: readonly Resource[], noted: () => Promise<void>): Promise<void> {
  const about = `${counted(objects.length, 'object goes', 'objects go')}, and what ${objects.length === 1 ? 'it stands' : 'they stand'} for stays in the account with nobody that knows it`;
  await confirm(call, { level: 'C2', about, expected: String(objects.length) });
  await refuseWhileOneLives(call, reader);
  await noted();
  for (const object of objects) await stripOne(call, reader, object);
}

async function stripOne({ session }: Call, reader: Reader, object: Resource): Promise<void> {
  const { metadata } = object;
  const index = metadata.finalizers?.indexOf(finalizer) ?? -1;
  try {
    await reader.client.request({
      method: 'PATCH',
      path: pathOf(registry.kind(object.kind), metadata),
      query: { fieldManager },
      contentType: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/metadata/uid', value: metadata.uid },
        { op: 'test', path: `/metadata/finalizers/${index}`, value: finalizer },
        { op: 'remove', path: `/metadata/finalizers/${index}` },
      ],
      signal: session.host.signal,
      timeout: reader.timeout,
    });
  } catch (error) {
    if (isMissing(error)) return;
    throw withRight(error, { verb: 'patch', resource: plural(object.kind), namespace: metadata.namespace });
  }
}
