import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { isUnedited } from '../diff/in-status.ts';
import { isStalled, stateOf } from '../objects/facts.ts';
import type { Entry } from '../plan/entries.ts';
import type { Target } from '../plan/targets/targets.ts';
import { parentOf } from '../why/causes/inside.ts';

const nameOfEntry = ({ kind, namespace, name }: Pick<Entry, 'kind' | 'namespace' | 'name'>): string => `${kind} ${namespace}/${name}`;
const whyLine = (object: Resource): string => `kubectl cloud why ${typed(object)}`;

/** What the operator knows by its status, where it has looked at just this spec: that a look of some seconds proves nothing gone. */
export class Known {
  readonly #objects: ReadonlyMap<string, Resource>;
  readonly #gone: ReadonlySet<string>;

  constructor(targets: readonly Target[], entries: readonly Entry[]) {
    this.#objects = new Map(targets.flatMap(({ object }) => (object === undefined ? [] : [[shownName(object), object] as const])));
    this.#gone = new Set(entries.filter((entry) => this.#isGone(entry)).map(nameOfEntry));
  }

  /** Of what is not in the account: since when and by whom, or what it went with. */
  gone(entry: Entry): string | undefined {
    const object = this.#objects.get(nameOfEntry(entry));
    if (object === undefined) return undefined;
    const parent = this.#parentOf(object);
    if (parent !== undefined) return `gone with ${parent}`;
    if (!this.#gone.has(nameOfEntry(entry)) || reasonOf(object) !== 'RemoteMissing') return undefined;
    const [said = ''] = /^\S+ is gone from the account(?: \([^)]*\))?/.exec(stateOf(object).words) ?? [];
    return said === '' ? undefined : `${said}: ${whyLine(object)}`;
  }

  /** A reason for which nothing goes on without a person, and where to read of it. */
  stalled(entry: Entry): string | undefined {
    const object = this.#objects.get(nameOfEntry(entry));
    const reason = object && reasonOf(object);
    return object === undefined || reason === undefined ? undefined : `its status says ${reason}: ${whyLine(object)}`;
  }

  #parentOf(object: Resource): string | undefined {
    const link = parentOf(object);
    const name = link && shownName({ kind: link.kind, metadata: link.key });
    return name !== undefined && this.#gone.has(name) ? name : undefined;
  }

  /** The account does not have it, or another one would be made in its place. */
  #isGone(entry: Entry): boolean {
    const object = this.#objects.get(nameOfEntry(entry));
    return entry.missing === true || (entry.action === 'create' && object?.status?.['path'] !== undefined);
  }
}

const reasonOf = (object: Resource): string | undefined =>
  object.status !== undefined && isUnedited(object) && isStalled(object) ? stateOf(object).reason : undefined;
