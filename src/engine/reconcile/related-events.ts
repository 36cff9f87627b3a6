import { asCollection, placesOf, type Notice, type Row } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Resource } from '../ports/index.ts';

/** Passes on what a remote says of others, as Events on the objects that manage those; what was passed on before is not repeated. */
export function passOn(context: ReconcileContext, remote: Row): void {
  const { recorder, objectMemory } = context.engine;
  for (const notice of context.kind.notices?.(remote) ?? []) {
    const object = objectOf(context, notice);
    const { reason, message, warning } = notice;
    if (object !== undefined && objectMemory.isNews(object.metadata.uid, message))
      recorder.event(object, { type: warning ? 'Warning' : 'Normal', reason, message });
  }
}

function objectOf({ engine, account }: ReconcileContext, { about }: Notice): Resource | undefined {
  for (const kind of engine.registry.kinds) {
    const named = kind.events.some(({ entity, ofParent }) => entity === about.entity && ofParent !== true);
    if (!named || asCollection(kind) === undefined) continue;
    for (const place of placesOf(kind)) {
      const path = `${place}/${encodeURIComponent(String(about.id))}`;
      const holder = engine.claims.holder(account.connection.identity.account, path);
      if (holder !== undefined) return engine.objects.get(holder.kind, holder.key);
    }
  }
  return undefined;
}
