import { type AnyWant, type Duration, minutes, type Row, seconds, Sensitive, type Transfer, transferOf } from '../../resource/index.ts';
import { counted } from '../../lib/counted.ts';
import { keptOf, readsSecrets } from '../change/outputs/keeper.ts';
import type { ReconcileContext } from '../context.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import type { BoundRemote, StepOf, UpdateStep, UpdateSteps } from '../model/step.ts';
import { wholeTarget } from '../outputs/targets.ts';
import type { InLine, TransferEnd, TransferState } from '../ports/index.ts';
import { begin } from './begin.ts';
import { leftToOthers, madeAnew } from './made-anew.ts';

type Waits = StepOf<UpdateSteps, 'wait'>;
interface Decided {
  readonly step: UpdateStep;
  /** This object may change anything now. */
  readonly mayWrite: boolean;
  readonly unresolved: readonly string[];
}

/**
 * Bytes that the remote waits for are on their way while it is waited for (README: transfers). The step says what there is to say
 * of them, or what stands in their way comes in its place.
 */
export async function bring(context: ReconcileContext, decided: Decided, present: BoundRemote): Promise<UpdateStep | Outcome> {
  const transfer = wantedBy(context, present);
  const { step, mayWrite, unresolved } = decided;
  if (transfer === undefined || step.do !== 'wait' || !mayWrite) {
    context.engine.transfers.forget(context.object.metadata.uid);
    if (transfer === undefined && context.object.status?.['madeAnew'] !== undefined) context.status['madeAnew'] = undefined;
    return step;
  }
  if (unresolved.includes(transfer.field)) return step;
  const from = sourceOf(transfer, present.want);
  return from === undefined
    ? waitsForSomebody(context, { transfer, step }, present)
    : broughtFrom(context, { transfer, from, step }, present);
}

function wantedBy({ kind, object }: ReconcileContext, { remote }: BoundRemote): Transfer<Row, AnyWant> | undefined {
  const transfer = transferOf(kind, object.spec);
  return transfer?.awaits(remote) === true ? transfer : undefined;
}

function sourceOf(transfer: Transfer<Row, AnyWant>, want: AnyWant): Sensitive | undefined {
  const from = transfer.from(want);
  return typeof from === 'string' ? new Sensitive(from) : from;
}

/** Why what the spec names is not read: asked before anything is made for it. */
export function sourceRefused({ kind, object, engine }: ReconcileContext, want: AnyWant): Outcome | undefined {
  const transfer = transferOf(kind, object.spec);
  const from = transfer && sourceOf(transfer, want);
  const why = from === undefined ? undefined : engine.transfers.refusal(from);
  return why === undefined ? undefined : { is: 'Stalled', reason: 'Forbidden', message: `spec.${transfer?.field}: ${why}` };
}

interface Awaited {
  readonly transfer: Transfer<Row, AnyWant>;
  readonly step: Waits;
}

async function waitsForSomebody(context: ReconcileContext, { transfer, step }: Awaited, present: BoundRemote): Promise<Waits | Outcome> {
  const { kind, object, engine } = context;
  const { to, contentType, format } = transfer;
  engine.transfers.forget(object.metadata.uid);
  const isTold = (await keptOf(context, present.identity)) !== undefined;
  const lost = isTold ? undefined : leftToOthers(context, present);
  if (lost !== undefined) return lost;
  const isThere = isTold || !readsSecrets(context);
  const where = isThere ? `Key ${to} of Secret ${wholeTarget(kind, object)?.name ?? ''} says` : 'Whoever made it was told';
  const how = `PUT it, compressed with ${format.name}, with Content-Type ${contentType}`;
  return { ...step, message: `${step.message}. ${where} to which address: ${how}` };
}

interface Bringing extends Awaited {
  readonly from: Sensitive;
}

async function broughtFrom(context: ReconcileContext, { transfer, from, step }: Bringing, present: BoundRemote): Promise<Waits | Outcome> {
  const { uid } = context.object.metadata;
  const about = { path: present.identity.path, wish: context.key.remember(uid, transfer.field, from) };
  const state = stateOf(context, about.path);
  if (state !== undefined && isUnderWay(context, state, about.wish)) return told(context, state, step, transfer);
  const refused = sourceRefused(context, present.want);
  if (refused !== undefined) return refused;
  const line = context.engine.transfers.place(uid, { namespace: context.object.metadata.namespace, come: callOf(context) });
  if (line !== undefined) return inLine(context, step, line);
  // What is known of the Secret may be minutes old, and what it says is sent there now.
  const to = (await keptOf(context, present.identity, 0))?.told[transfer.to];
  if (to === undefined) return madeAnew(context, transfer, present, step);
  begin(context, { transfer, from, to: new Sensitive(to), about });
  return said(step, 'its data is being uploaded', { percent: 0 });
}

const callOf =
  ({ engine, kind, object }: ReconcileContext): (() => void) =>
  () =>
    engine.wake(kind.kind, keyOf(object), { urgent: true });

/** No turn is held meanwhile: it is called when its place has come. */
function inLine({ object }: ReconcileContext, step: Waits, { own, atOnce }: InLine): Waits {
  const of = `of namespace ${object.metadata.namespace}`;
  const why =
    own === 0
      ? `all ${atOnce} uploads that this operator has at once are of other namespaces`
      : `${counted(own, `other upload ${of} is`, `other uploads ${of} are`)} under way, and the rest of the ${atOnce} that this operator has at once is left to other namespaces`;
  const message = `its data is not being uploaded yet: ${why}. It begins by itself when one of them ends`;
  return { ...said(step, message, {}), recheckAfter: minutes(5) };
}

/** What was brought to another remote is over. */
function stateOf({ engine, object }: ReconcileContext, path: string): TransferState | undefined {
  const known = engine.transfers.of(object.metadata.uid);
  if (known === undefined || known.about.path === path) return known;
  engine.transfers.forget(object.metadata.uid);
  return undefined;
}
const isUnderWay = (context: ReconcileContext, state: TransferState, wish: string): boolean =>
  state.end === undefined || waitOf(context, state, wish) > 0;

/** So long nothing more is tried; 0 or less: now. */
function waitOf({ engine }: ReconcileContext, state: TransferState, wish: string): number {
  if (state.end?.is === 'refused' && state.about.wish !== wish) return 0;
  return restsFor[state.end?.is ?? 'stopped'](state) - engine.clock.monotonic() + (state.endedAt ?? 0);
}
const restsFor: Readonly<Record<TransferEnd['is'], (state: TransferState) => number>> = {
  stopped: () => 0,
  cut: ({ cuts, end }) => Math.min(minutes(10), Math.max(seconds(4) * 2 ** Math.min(cuts - 1, 10), toldToWait(end))),
  refused: () => minutes(10),
  closed: () => minutes(10),
  // Who has all of it may take long to work on it.
  done: () => minutes(60),
};

const toldToWait = (end: TransferEnd | undefined): number => (end?.is === 'cut' ? (end.retryAfter ?? 0) : 0);

function told(context: ReconcileContext, state: TransferState, step: Waits, { field }: Transfer<Row, AnyWant>): Waits | Outcome {
  const { end, percent, bytes } = state;
  if (end === undefined)
    return said(step, `its data is being uploaded${bytes === undefined ? '' : `: ${percent} % of ${sizeText(bytes)}`}`, { percent });
  switch (end.is) {
    case 'done':
      return said(step, 'its data was sent, and the service works on it', { percent: 100 });
    case 'closed':
      return said(step, closedText, {});
    case 'refused':
      return {
        is: 'Stalled',
        reason: 'Rejected',
        message: `spec.${field}: its data cannot be uploaded: ${end.message}. It is tried again every ten minutes`,
      };
    default:
      return {
        is: 'Retrying',
        reason: 'Unreachable',
        message: `its data could not be uploaded: ${end.message}. It is begun anew`,
        retryAfter: Math.max(1, waitOf(context, state, state.about.wish)) as Duration,
      };
  }
}
const closedText =
  'the address for its data takes nothing any more: either all of it has arrived and the service works on it, or its time is over and the service removes the image';

/** In place of what is said of a remote for which nobody does anything. */
const said = (step: Waits, message: string, progress: { readonly percent?: number }): Waits => ({
  ...step,
  message,
  recheckAfter: seconds(10),
  ...progress,
});

const sizeText = (bytes: number): string => (bytes < 1_000_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000_000)} MB`);
