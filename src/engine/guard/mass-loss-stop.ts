import type { Millis } from "../../lib/clock.ts";
import { asCollection, minutes } from "../../resource/index.ts";
import type { ClusterContext, ClusterEngine } from "../context.ts";
import { type ReadAccount, accountKey } from "../model/account.ts";
import { isDeleting } from "../model/annotations.ts";
import type { Condition } from "../model/conditions.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Resource } from "../ports/index.ts";
import {
  belongsTo,
  type MassHold,
  lostBy,
  releaseAt,
  releaseCommand,
  releasedUntil,
} from "./release-code.ts";

const placeOf = ({ key }: Pick<ReadAccount, "key">, kind: string): string =>
  `${key.namespace}/${key.name} ${kind}`;

/** A remote cannot be found, and neither we nor a person who asked for a new one are the reason. */
export function noteLoss({ engine, account, object }: ClusterContext): void {
  const { uid } = object.metadata;
  if (!engine.objectMemory.released.has(uid))
    engine.lossCounter.note(placeOf(account, object.kind), uid, engine.clock.monotonic());
}

/** Its remote is proven to be lost, and another one is about to be made, which no person has asked for. */
export function noteRecreated({ engine, account, object }: ClusterContext): void {
  const { uid } = object.metadata;
  if (!engine.objectMemory.released.has(uid))
    engine.lossCounter.remade(placeOf(account, object.kind), uid);
}

/** Called when an object is first seen. Its status says that it had a remote and waits: so a stop outlives the process that saw the loss. */
export function takeUpStop({ lossCounter }: ClusterEngine, object: Resource): void {
  const account = { key: accountKey(object) };
  const stands =
    !isDeleting(object) && object.status?.["path"] !== undefined && waitsFor(account, object);
  if (stands) lossCounter.stand(placeOf(account, object.kind), object.metadata.uid);
}
const waitsFor = (account: Pick<ReadAccount, "key">, { status }: Resource): boolean =>
  Array.isArray(status?.["waitingFor"]) && status["waitingFor"].includes(lostBy(account));

/** When its remote was first missed, or when it first waited, ms since the epoch. */
function missedAt({ status }: Resource): Millis | undefined {
  const synced = (status?.["conditions"] as readonly Condition[] | undefined)?.find(
    ({ type }) => type === "Synced",
  );
  return synced?.status === "False" ? Date.parse(synced.lastTransitionTime) : undefined;
}

/** Let go by the annotation on the account: what had been missed by then, and nothing later. */
function isReleased(engine: ClusterEngine, account: ReadAccount, object: Resource): boolean {
  if (engine.objectMemory.released.has(object.metadata.uid)) return true;
  return (
    waitsFor(account, object) &&
    (missedAt(object) ?? Infinity) <= releasedUntil(engine, account, object.kind)
  );
}

function lost(engine: ClusterEngine, account: ReadAccount, kind: string): readonly Resource[] {
  if (!engine.lossCounter.has(placeOf(account, kind))) return [];
  const mine = [...engine.objects.all(kind)].filter((object) => belongsTo(account, object));
  const uids = engine.lossCounter.stopped(
    placeOf(account, kind),
    mine.length,
    engine.clock.monotonic(),
  );
  return mine.filter(
    (object) => uids.has(object.metadata.uid) && !isReleased(engine, account, object),
  );
}

/** Many things of one kind vanishing at once is somebody's accident, or ours: none is made before a person has looked (README: loss). */
export function massLossStop(context: ClusterContext): Outcome | undefined {
  const { engine, account, kind, object } = context;
  if (isReleased(engine, account, object)) {
    engine.objectMemory.released.set(object.metadata.uid, true);
    engine.lossCounter.looked(placeOf(account, object.kind));
    return undefined;
  }
  const { length } = lost(engine, account, kind.kind);
  if (length === 0) return undefined;
  engine.wake(engine.registry.connection.kind, account.key);
  return {
    is: "Waiting",
    reason: "DeletionHeld",
    message: `too many objects of kind ${kind.kind} lost what they had in the account within ten minutes, and none is made before a person has looked. CloudAccount ${account.key.namespace}/${account.key.name} shows in status.held how many wait, and how to let them be made anew`,
    on: [lostBy(account)],
    recheckAfter: minutes(1),
    gone: true,
  };
}

const lostSets = (engine: ClusterEngine, account: ReadAccount): readonly (readonly Resource[])[] =>
  engine.registry.kinds
    .filter((kind) => asCollection(kind) !== undefined)
    .map(({ kind }) => lost(engine, account, kind));

export const massLossStops = (engine: ClusterEngine, account: ReadAccount): readonly MassHold[] =>
  lostSets(engine, account).flatMap((objects) => holdFor(engine, account, objects) ?? []);

/** Objects that the annotation lets be made anew, and that still wait. */
export const recreatedNow = (engine: ClusterEngine, account: ReadAccount): readonly Resource[] =>
  engine.registry.kinds.flatMap(({ kind }) =>
    [...engine.objects.all(kind)].filter(
      (object) =>
        belongsTo(account, object) &&
        !isDeleting(object) &&
        waitsFor(account, object) &&
        isReleased(engine, account, object),
    ),
  );

function holdFor(
  engine: ClusterEngine,
  account: ReadAccount,
  objects: readonly Resource[],
): MassHold | undefined {
  const [first] = objects;
  if (first === undefined) return undefined;
  const release = releaseAt(
    first.kind,
    Math.max(...objects.map((object) => missedAt(object) ?? engine.clock.now())),
  );
  const names = objects.slice(0, 5).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  return {
    kind: first.kind,
    count: objects.length,
    release,
    message: `what ${objects.length === 1 ? "1 object" : `${objects.length} objects`} of kind ${first.kind} had in the account is gone (${names.join(", ")}${objects.length > names.length ? ", ..." : ""}). Look what removed it; to have new ones made, empty: ${releaseCommand(account, release)}`,
  };
}
