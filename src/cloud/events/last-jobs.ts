import type { LastJob } from '../../resource/index.ts';
import { decodedPath } from '../http/entity-url.ts';
import type { EventRecord } from './event-record.ts';
import { remember } from './remember.ts';

/** When a job that finished began. Events of one second follow each other by their ids. */
interface Told {
  readonly at: string;
  readonly id: number;
}
interface Naming extends Told {
  readonly named: { readonly id: string; readonly path: string | undefined };
}

/** The last jobs that finished, by action and path, of those that a kind asks for. */
export class LastJobs {
  readonly #done = new Map<string, Told>();
  /** By the first entity: what the last one named besides. */
  readonly #naming = new Map<string, Naming>();

  note({ donePath: path, action, created: at, id, entity, secondary }: EventRecord): void {
    if (path === undefined) return;
    put(this.#done, `${action} ${path}`, { at, id });
    if (entity?.path !== undefined && secondary !== undefined)
      put(this.#naming, `${action} ${entity.path}`, { at, id, named: { id: secondary.id, path: secondary.path } });
  }

  /** When the last one began. */
  at(path: string, job: LastJob): string | undefined {
    return this.#newest(decodedPath(path), job)?.at;
  }

  /** Whether one of `changes` came after it. Undefined: it is another than the one that began then. */
  isOvertaken(path: string, job: LastJob, at: string): boolean | undefined {
    const own = decodedPath(path);
    const last = this.#newest(own, job);
    if (last?.at !== at) return undefined;
    const change = latest(this.#done, own, job.changes ?? []);
    return change !== undefined && isBefore(last, change);
  }

  /** Id of what the last of these named besides the path itself. */
  named(path: string, actions: readonly string[]): string | undefined {
    return latest(this.#naming, decodedPath(path), actions)?.named.id;
  }

  #newest(own: string, { actions, again }: LastJob): Told | undefined {
    const last = latest(this.#done, own, actions);
    return (again && this.#again(own, actions, again)) ?? last;
  }

  /** What does the last one of the parent once more, where that named this path and nothing came between that ended it. */
  #again(own: string, actions: readonly string[], { by, unless }: NonNullable<LastJob['again']>): Told | undefined {
    const parent = own.split('/').slice(0, -2).join('/');
    const last = latest(this.#naming, parent, actions);
    const once = latest(this.#done, parent, by);
    if (last?.named.path !== own || once === undefined || isBefore(once, last)) return undefined;
    const ended = latest(this.#done, parent, unless);
    return ended !== undefined && isBefore(last, ended) && isBefore(ended, once) ? undefined : once;
  }
}

const isBefore = (a: Told, b: Told): boolean => a.at < b.at || (a.at === b.at && a.id < b.id);

function put<T extends Told>(map: Map<string, T>, key: string, told: T): void {
  const known = map.get(key);
  if (known === undefined || isBefore(known, told)) remember(map, key, told);
}

function latest<T extends Told>(map: ReadonlyMap<string, T>, path: string, actions: readonly string[]): T | undefined {
  const all = actions.flatMap((action) => map.get(`${action} ${path}`) ?? []);
  return all.reduce<T | undefined>((last, one) => (last === undefined || isBefore(last, one) ? one : last), undefined);
}
