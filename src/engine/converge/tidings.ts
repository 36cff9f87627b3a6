import type { Row, Tiding } from '../../resource/index.ts';
import type { Resource } from '../ports.ts';
import type { Turn } from '../run/turn.ts';

/** Passes on what a remote says of others, as Events on the objects that manage those; what was passed on before is not repeated. */
export function passOn(turn: Turn, remote: Row): void {
  const { recorder, evidence } = turn.engine;
  for (const tiding of turn.kind.tells?.(remote) ?? []) {
    const object = objectOf(turn, tiding);
    const { reason, message, warning } = tiding;
    if (object !== undefined && evidence.isNews(object.metadata.uid, message))
      recorder.event(object, { type: warning ? 'Warning' : 'Normal', reason, message });
  }
}

function objectOf({ engine, account }: Turn, { about }: Tiding): Resource | undefined {
  for (const kind of engine.registry.kinds) {
    const named = kind.events.some(({ entity, ofParent }) => entity === about.entity && ofParent !== true);
    if (!named || kind.mode !== 'collection' || typeof kind.path !== 'string') continue;
    const path = `${kind.path}/${encodeURIComponent(String(about.id))}`;
    const holder = engine.claims.holder(account.connection.identity.account, path);
    if (holder !== undefined) return engine.objects.get(holder.kind, holder.key);
  }
  return undefined;
}
