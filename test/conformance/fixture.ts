import type * as z from 'zod';
import type { PlanContext } from '../../src/engine/plan/input.ts';
import type { DeleteStep, UpdateStep } from '../../src/engine/model/step.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import type { Row, Wanted } from '../../src/resource/index.ts';

/**
 * What one kind contributes to every suite: data only. Ids of other objects are written `'$web'`: conformance puts a
 * number there, the emulator's suites the id of what they made for `needs.web`.
 */
export interface Fixture<K> {
  readonly kind: K;
  /** Applied by integration and chaos, and shown to users in `deploy/samples`. References name objects of `needs`. */
  readonly sample: { readonly name: string; readonly spec: SpecOf<K> & Common; /** For who applies it. */ readonly about?: string };
  /** Objects that must exist first, by object name. Each is the sample of its kind, with a few fields changed. */
  readonly needs?: Readonly<Record<string, Need>>;
  /** Further ways in which one comes to be, merged over the sample's spec; `undefined` takes a field away. Chaos plays the create in each. */
  readonly ways?: Readonly<Record<string, Row>>;
  /** What the account then holds besides, of no kind: by way and collection one row, in which `'$web'` is the id of that need. */
  readonly waysHold?: Readonly<Record<string, Readonly<Record<string, Row>>>>;
  /** Secrets that the sample names, by name and key; they go wherever the sample goes. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Likewise ConfigMaps. */
  readonly configMaps?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The sample after resolution. */
  readonly want: WantOf<K>;
  /** Further valid wants by the rule that they show, merged over `want`; `undefined` takes a field away. */
  readonly wants?: Readonly<Record<string, Changed<WantOf<K>>>>;
  /** The row, with the parts that are compared, that the account shows when it has what `want` says. */
  readonly remote: Row;
  /** Fields of the row as only the answer to a create tells them. */
  readonly told?: Row;
  /** Manifests that admission must refuse, merged over the sample's spec, and words that the refusal must contain. */
  readonly rejects: Readonly<Record<string, readonly [spec: Row, says: string]>>;
  /** One edit of each field that may change; conformance sees to it that none is forgotten. */
  readonly edits: readonly Edit<K>[];
  readonly plans: readonly PlanRow<K>[];
  /** What of `want` would be everybody's (`reserved` of the kind), merged over it. */
  readonly reserved?: readonly Row[];
  /** Rows of the list that `conflictsWith` names, each of which stands against making what `want` says. */
  readonly conflicts?: readonly Row[];
  /** What is different in its row while no object has it, as far as it tells. */
  readonly unmanaged?: Row;
  /** The key is counted, for nothing tells whose a row is, and the service refuses a second one all the same: nobody can make its like. */
  readonly refusesSecond?: true;
  /** What it is made of is busy meanwhile, so that the service makes no second one before the first is done. */
  readonly oneAtATime?: true;
  /** Fields that the service sets by itself under the sample's other fields, so that an edit of one is not undone by taking it back. */
  readonly leftToService?: readonly string[];
  /** Laws that this kind cannot obey, and why. */
  readonly exempt?: Readonly<Partial<Record<Law, string>>>;
}

export interface Need {
  readonly kind: string;
  /** Merged over the spec of that kind's sample, and so over its want; references stay those of the sample, to needs of the same names above it. */
  readonly spec?: Row;
}

export interface Edit<K> {
  readonly field: FieldOf<K>;
  /** The new value, resolved; `undefined` takes the field away. */
  readonly to: unknown;
  /** The same as a user writes it, where that differs. */
  readonly spec?: unknown;
  /** Further changes of the spec that go with it, resolved. */
  readonly with?: Row;
  /** Calls in order, `PUT {item}`, `POST {item}/resize`, `DELETE {item}/devices/*`. None: the edit needs no call. */
  readonly calls?: readonly string[];
  /** Part of the body of the first call. */
  readonly body?: Row;
  /** Admission refuses the edit, and so does the plan when the account differs. */
  readonly refused?: true;
  /** Refused by admission alone, because the account does not show the field. */
  readonly admissionOnly?: true;
}

export interface PlanRow<K> {
  /** The rule, as a sentence. */
  readonly name: string;
  readonly want?: Changed<WantOf<K>>;
  /** Merged over the fixture's row; `null` in place of it: there is no remote. */
  readonly remote?: Row | null;
  readonly policy?: Partial<Policy>;
  readonly context?: Partial<PlanContext>;
  readonly deleting?: true;
  /** Part of the step that must come. */
  readonly step: { readonly do: 'create' | (UpdateStep | DeleteStep)['do'] } & Row;
}

/** Laws from which a fixture may be exempt. */
export type Law = `complete after one POST: ${string}` | `edits ${string}` | `edited in the account: ${string}`;

export type WantOf<K> = K extends { readonly spec: infer S extends z.ZodObject; readonly status: infer T extends z.ZodObject }
  ? Wanted<S, T>
  : never;
type SpecOf<K> = K extends { readonly spec: infer S extends z.ZodObject } ? Fixed<z.input<S>> : never;
/** What is no field of the kind itself. */
interface Common {
  readonly rotation?: { readonly everyDays?: number; readonly overlapHours?: number };
}
type FieldOf<K> = K extends { readonly spec: infer S extends z.ZodObject } ? keyof z.output<S> & string : never;
type Fixed<T> = T extends object ? { readonly [F in keyof T]: Fixed<T[F]> } : T;
type Changed<W> = { readonly [F in keyof W]?: W[F] | undefined };

/** A fixture as the suites see it, its type parameters erased. */
export interface AnyFixture extends Omit<Fixture<unknown>, 'want' | 'wants' | 'sample' | 'edits' | 'plans'> {
  readonly sample: { readonly name: string; readonly spec: Row };
  readonly want: Row & { readonly name: string };
  readonly wants?: Readonly<Record<string, Row>>;
  readonly edits: readonly (Omit<Edit<unknown>, 'field'> & { readonly field: string })[];
  readonly plans: readonly (Omit<PlanRow<unknown>, 'want'> & { readonly want?: Row })[];
}
