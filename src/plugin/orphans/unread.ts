import type { AnyKind } from '../../resource/index.ts';
import type { UnreadList } from '../output/account-shapes.ts';
import type { Session } from '../session.ts';

/** Lists that the service does not give now, of what lies below something, as of a database that is being made. Each is told, and the rest is read all the same. */
export class UnreadLists {
  readonly all: UnreadList[] = [];
  readonly #session: Pick<Session, 'warn'>;

  constructor(session: Pick<Session, 'warn'>) {
    this.#session = session;
  }

  of({ kind }: AnyKind): (path: string, why: string) => void {
    return (path, why) => {
      const list = { kind, path, why };
      this.all.push(list);
      this.#session.warn(unreadText(list));
    };
  }

  /** Whether this one would stand in such a list, or below what stands in it. */
  has(kind: AnyKind, item: string): boolean {
    return this.all.some((list) => list.kind === kind.kind && item.startsWith(`${list.path}/`));
  }
}

export const unreadText = ({ kind, path, why }: UnreadList): string => `${kind} below ${path} is left out: ${why}`;
