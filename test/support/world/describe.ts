import type { World } from './world.ts';

interface Event {
  readonly type: string;
  readonly reason: string;
  readonly note?: string;
  readonly message?: string;
  readonly regarding?: Involved;
  readonly involvedObject?: Involved;
}
interface Involved {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** What a person reads in `kubectl describe`: the conditions and the Events of one object. */
export async function describeObject(world: World, kind: string, name: string): Promise<string> {
  const { status, metadata } = await world.get(kind, name);
  const conditions = (status?.conditions ?? []).map(
    ({ type, status: holds, reason, message }) => `  ${type}: ${holds} ${reason} ${message}`,
  );
  const about = (world.server.objects('/events') as unknown as Event[]).filter((event) => {
    const involved = event.regarding ?? event.involvedObject;
    return involved?.kind === kind && involved.name === name && involved.namespace === metadata.namespace;
  });
  const events = about.map(({ type, reason, note, message }) => `  ${type} ${reason} ${note ?? message ?? ''}`);
  return [`Name: ${name}`, `Kind: ${kind}`, 'Conditions:', ...conditions, 'Events:', ...events].join('\n');
}
