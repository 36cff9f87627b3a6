import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { AnyKind, Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import { shownName } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { concerns, namedBy, type Place } from '../history/entries.ts';
import { registry } from '../command-line/kinds.ts';
import type { Session } from '../session.ts';

interface Owner {
  readonly object: string;
  readonly place: Place;
}

/** Which objects events are about, and whether the operator's user caused them. */
export class Owners {
  readonly #byId: ReadonlyMap<string, readonly Owner[]>;
  /** Accounts by the user whose token they have. */
  readonly #users: ReadonlyMap<string, readonly string[]>;

  private constructor(objects: readonly Resource[], account: string) {
    const here = objects.filter(({ status }) => status?.['account'] === account);
    const owners = here.flatMap((object) => {
      const { path, id } = (object.status ?? {}) as { readonly path?: string; readonly id?: string | number };
      if (path === undefined) return [];
      const place: Place = { kind: registry.kind(object.kind), path, id: String(id ?? path.slice(path.lastIndexOf('/') + 1)) };
      return [{ object: shownName(object), place }];
    });
    this.#byId = Map.groupBy(owners, ({ place }) => place.id);
    const connections = here.filter(({ kind, status }) => kind === registry.connection.kind && typeof status?.['user'] === 'string');
    const users = Map.groupBy(connections, ({ status }) => String(status?.['user']));
    this.#users = new Map([...users].map(([user, those]) => [user, those.map(shownName)]));
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

  /** Of what lies below something the service names that alone, as the domain of a record. */
  #of(event: Row): readonly Owner[] {
    const entity = namedBy(event['entity']);
    const ids = [entity, namedBy(event['secondary_entity'])].flatMap((named) => named?.id ?? []);
    const all = [...new Set(ids)].flatMap((id) => this.#byId.get(id) ?? []);
    const itself = all.filter(({ place }) => concerns(place, event) === 'itself');
    return itself.length > 0 ? itself : all.filter(({ place: { kind, id } }) => id === entity?.id && isCalled(kind, entity.type));
  }

  /** The row with the object that has what it is about. */
  marked(event: Row): Row {
    const found = this.#of(event);
    return {
      ...event,
      object: found.length === 0 ? null : found.map(({ object }) => object).join(', '),
      operatorsUser: this.isOfUser(event),
    };
  }

  /** Caused by the operator, or by somebody else as its user. */
  isOfUser({ username }: Row): boolean {
    return typeof username === 'string' && this.#users.has(username);
  }

  /** What stands behind the names of its users. */
  get legend(): string {
    const whose = [...this.#users].map(([user, accounts]) => `${user} (${accounts.join(', ')})`).join(', ');
    return `operator's user: the one whose token a CloudAccount has, here ${whose}. What is under that name the operator did, or somebody with the same user or token`;
  }
}

/** Whether events name remotes of this kind by this word. */
const isCalled = ({ events }: AnyKind, type: string): boolean =>
  events.some(({ entity, secondary, ofParent }) => entity === type && secondary === undefined && ofParent !== true);
/** Whether any event names a remote of this kind, and not only what that lies below. */
export const isNamedItself = ({ events }: AnyKind): boolean => events.some(({ ofParent }) => ofParent !== true);

/** Whether events of this kind look like this one. */
export const isOfKind = ({ events }: AnyKind, { action }: Row): boolean =>
  events.some(({ actions }) => actions.some((one) => String(action).startsWith(one)));
