import { Draw } from './draw.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Sort =
  | 'machine'
  | 'disk'
  | 'config'
  | 'volume'
  | 'firewall'
  | 'address'
  | 'range'
  | 'image'
  | 'zone'
  | 'record'
  | 'script'
  | 'bucket'
  | 'database'
  | 'cluster'
  | 'pool'
  | 'credential'
  | 'service'
  | 'ticket'
  | 'other';

/** Something that a program made, as the answer told it. */
export interface Thing {
  readonly sort: Sort;
  readonly path: string;
  readonly row: Row;
  /** What it lies in. */
  readonly within?: Thing;
}

export interface Call {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: Row;
  /** What the answer is, where the call makes something. */
  readonly makes?: (answer: Row) => Thing;
  readonly removes?: Thing;
}

/** What one program has made so far. */
export class Estate {
  readonly draw: Draw;
  readonly things: Thing[] = [];

  constructor(draw: Draw) {
    this.draw = draw;
  }
  all(sort: Sort, within?: Thing): readonly Thing[] {
    return this.things.filter((thing) => thing.sort === sort && (within === undefined || thing.within === within));
  }
  any(sort: Sort, within?: Thing): Thing | undefined {
    const all = this.all(sort, within);
    return all.length === 0 ? undefined : this.draw.pick(all);
  }
  remove(gone: Thing): void {
    const left = this.things.filter((thing) => thing !== gone && thing.within !== gone);
    this.things.splice(0, this.things.length, ...left);
  }
}

/** One call that somebody may make now; undefined where there is nothing to make it with. */
export type Act = (estate: Estate) => Call | undefined;

export const idOf = ({ row }: Thing): number => Number(row['id']);
export const made =
  (sort: Sort, path: (row: Row) => string, within?: Thing) =>
  (row: Row): Thing => ({ sort, path: path(row), row, ...(within && { within }) });
/** The commonest: its id is below where it was made. */
export const create = (sort: Sort, path: string, body: Row, within?: Thing): Call => ({
  method: 'POST',
  path,
  body,
  makes: made(sort, ({ id }) => `${path}/${String(id)}`, within),
});
/** Made by an operation with a name of its own, and listed with the others. */
export const createBy = (sort: Sort, operation: string, body: Row, collection: string): Call => ({
  ...create(sort, operation, body),
  makes: made(sort, ({ id }) => `${collection}/${String(id)}`),
});
/** With one of a sort, if there is any. */
export const onAny =
  (sort: Sort, act: (thing: Thing, estate: Estate) => Call | undefined): Act =>
  (estate) => {
    const thing = estate.any(sort);
    return thing && act(thing, estate);
  };
