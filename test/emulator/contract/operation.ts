import type { Context } from './context.ts';
import type { BodyOf, Shape } from './fields.ts';
import type { GrantRule } from './grants.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Rate windows are kept per class. `list` is the default of operations that have `filterable`. */
export type RateClass =
  | 'default'
  | 'list'
  | 'vm_create'
  | 'volume_create'
  | 'image_list'
  | 'stackscript_list'
  | 'stats'
  | 'object_write'
  | 'object'
  | 'ticket';

/** What an area author writes. */
export interface OperationSpec<S extends Shape> {
  readonly method: Method;
  /** Neutral path below the version segment, `/volumes/{volumeId}`; `{imageId*}` takes the rest of the path, slashes included. */
  readonly path: string;
  /** All are needed, neutral: `['volumes:read_write', 'vms:read_write']`. Absent = any credential. */
  readonly scopes?: readonly string[];
  /** `X-Accepted-OAuth-Scopes` where the service shows another value. */
  readonly acceptedScopes?: string;
  /** Unrestricted users pass without the scope (decision c). */
  readonly scopesWaivedForUnrestricted?: boolean;
  /** `required` (default), `optional` (anonymous callers have no `ctx.actor`), `none`. */
  readonly auth?: 'required' | 'optional' | 'none';
  readonly grant?: readonly GrantRule[];
  readonly rate?: RateClass;
  /** Version segments that serve it; default both (decision d). */
  readonly segments?: 'both' | 'v4' | 'v4beta';
  /** Served at the server's root instead, without credential: upload targets, object URLs. */
  readonly outside?: boolean;
  /** The body is bytes, not JSON. */
  readonly raw?: boolean;
  readonly body?: S;
  /** Present on every list operation, `[]` when nothing is filterable. Dotted keys allowed. */
  readonly filterable?: readonly string[];
  /** Filterable, but refused by `+order_by`. */
  readonly notOrderable?: readonly string[];
  /** `max-age` of Cache-Control, seconds; default 60. */
  readonly cacheSeconds?: number;
  /** The JSON answer, `undefined` for `{}`, or an `Answer`. Synchronous; refuses by `throw refusal(...)`. Nothing may be changed before the last refusal. */
  readonly handler: (ctx: Context<BodyOf<S>>) => unknown;
}

export type Operation = OperationSpec<Shape>;

/** Types the handler's body by its shape. */
export function operation<const S extends Shape>(spec: OperationSpec<S>): Operation {
  return spec as unknown as Operation;
}
