import type { AnyWant, Row, Sensitive, Transfer } from '../../resource/index.ts';
import { accountChange } from '../change/audit.ts';
import type { ReconcileContext } from '../context.ts';
import { isDeleting } from '../model/annotations.ts';
import { keyOf } from '../model/object-id.ts';
import { isPaused } from '../model/pause.ts';
import type { Fault, TransferEnd, TransferJob } from '../ports/index.ts';

interface Beginning {
  readonly transfer: Transfer<Row, AnyWant>;
  readonly from: Sensitive;
  readonly to: Sensitive;
  readonly about: TransferJob['about'];
}

/** From here on it runs by itself; what it has to tell wakes the object. */
export function begin(context: ReconcileContext, { transfer, from, to, about }: Beginning): void {
  const { engine, kind, object } = context;
  const { contentType, maxBytes, format } = transfer;
  engine.transfers.begin(object.metadata.uid, {
    from,
    to,
    about,
    contentType,
    maxBytes,
    format,
    gate: gateOf(context),
    ...audited(context, about.path),
    changed: () => engine.wake(kind.kind, keyOf(object), { urgent: true }),
  });
}

/** The address itself is a secret: what is written down is the remote, and that it is its data. */
function audited(context: ReconcileContext, path: string): Pick<TransferJob, 'sending' | 'ended'> {
  const { monitor } = context.engine;
  const change = accountChange(context, { method: 'PUT', path: `${path}#data` }, { effect: 'InPlace', cause: 'edit' });
  let isSent = false;
  return {
    sending: () => {
      isSent = true;
      monitor.changing(change);
    },
    ended: ({ is }) => {
      if (isSent) monitor.changed(change, outcomes[is]);
    },
  };
}
const outcomes: Readonly<Record<TransferEnd['is'], 'Accepted' | Fault>> = {
  done: 'Accepted',
  closed: 'Rejected',
  refused: 'Rejected',
  cut: 'Unknown',
  stopped: 'Unknown',
};

/** What held when it began must hold for every piece: it outlives the reconcile, and an edit of something else does not end it. */
function gateOf({ engine, account, kind, object }: ReconcileContext): () => string | undefined {
  const { uid } = object.metadata;
  const { key } = account;
  return () => {
    if (!engine.accountLeases.held(key)) return 'the lease is not held';
    const now = engine.accounts.get(key);
    if (now === undefined || now.readOnly) return 'the account is gone, paused or read-only';
    const live = engine.objects.get(kind.kind, keyOf(object));
    if (live?.metadata.uid !== uid || isDeleting(live)) return 'the object is gone or being deleted';
    return isPaused(live, engine.clock.now()) ? 'the object has been paused' : undefined;
  };
}
