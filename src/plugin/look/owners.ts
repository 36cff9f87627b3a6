import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { AnyKind, Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import { shownName } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { concerns, type Place } from '../history/entries.ts';
import { registry } from '../kinds.ts';
import type { Session } from '../session.ts';

interface Owner {
  readonly object: string;
  readonly place: Place;
}

/** Which objects events are about, and whether the operator's user caused them. */
export class Owners {
  readonly #byId: ReadonlyMap<string, readonly Owner[]>;
  readonly #users: ReadonlySet<string>;

  private constructor(objects: readonly Resource[], account: string) {
    const here = objects.filter(({ status }) => status?.['account'] === account);
    const owners = here.flatMap((object) => {
      const { path, id } = (object.status ?? {}) as { readonly path?: string; readonly id?: string | number };
      if (path === undefined) return [];
      const place: Place = { kind: registry.kind(object.kind), path, id: String(id ?? path.slice(path.lastIndexOf('/') + 1)) };
      return [{ object: shownName(object), place }];
    });
    this.#byId = Map.groupBy(owners, ({ place }) => place.id);
    this.#users = new Set(
      here.flatMap(({ kind, status }) =>
        kind === registry.connection.kind && typeof status?.['user'] === 'string' ? [status['user']] : [],
      ),
    );
  }

  /** Of all namespaces; where the caller may not list those, of the one of the line. */
  static async of(session: Session, { shown }: AccountReader): Promise<Owners> {
    const reader = await session.reader();
    const all = async (namespace: string | undefined): Promise<readonly Resource[] | undefined> => {
      try {
        return (await Promise.all(registry.kinds.map((kind) => reader.list(kind, namespace)))).flat();
      } catch (error) {
        if (error instanceof CliError) return undefined;
        throw error;
      }
    };
    const seen = (await all(undefined)) ?? (await all(await session.namespace()));
    if (seen === undefined) session.warn('you may not list objects, so OBJECT stays empty');
    return new Owners(seen ?? [], shown.id);
  }

  /** The row with the object that has what it is about. */
  marked(event: Row): Row {
    const ids = [event['entity'], event['secondary_entity']].map((one) =>
      typeof one === 'object' && one !== null ? String((one as Row)['id']) : '',
    );
    const found = [...new Set(ids)].flatMap((id) => this.#byId.get(id) ?? []).filter(({ place }) => concerns(place, event) === 'itself');
    const [owner] = found;
    return {
      ...event,
      ...(owner !== undefined && { object: found.map(({ object }) => object).join(', ') }),
      operator: typeof event['username'] === 'string' && this.#users.has(event['username']),
    };
  }
}

/** Whether events of this kind look like this one. */
export const isOfKind = ({ events }: AnyKind, { action }: Row): boolean =>
  events.some(({ actions }) => actions.some((one) => String(action).startsWith(one)));
