import type { Actor } from '../contract/world.ts';
import type { GlobalGrant, GrantLevel, Grants } from '../contract/grants.ts';

/** A user as the options and the control port give it. */
export interface UserSpec {
  readonly username: string;
  readonly email?: string;
  readonly restricted?: boolean;
  readonly accountAccess?: GrantLevel;
  readonly globalGrants?: readonly GlobalGrant[];
  /** `{'vm:123': 'read_only'}`. */
  readonly objectGrants?: Readonly<Record<string, GrantLevel>>;
}

export interface TokenSpec {
  readonly token: string;
  readonly username: string;
  /** Neutral scopes, or `*`. */
  readonly scopes: string;
}

export interface AccountSpec {
  readonly euuid: string;
  readonly users: readonly UserSpec[];
  readonly tokens: readonly TokenSpec[];
  /** Fields of the account record that differ from the defaults. */
  readonly record?: Readonly<Record<string, unknown>>;
  /** What no operation makes, as rows by collection: invoices, logins, notifications, promo codes. Added to what areas seed. */
  readonly rows?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

export interface User extends Actor {
  readonly email: string;
  readonly restricted: boolean;
}

export interface Token {
  readonly euuid: string;
  readonly user: User;
  readonly scopes: readonly string[];
}

/** Two accounts; the first has an unrestricted and a restricted user. */
export const defaultAccounts: readonly AccountSpec[] = [
  {
    euuid: 'E1AF5EEC-526F-487D-B317EBEB34C87D71',
    users: [
      { username: 'admin' },
      { username: 'limited', restricted: true, accountAccess: 'read_only', globalGrants: ['add_vms', 'add_volumes', 'add_domains'] },
      { username: 'colleague' },
    ],
    tokens: [
      { token: 'token-admin', username: 'admin', scopes: '*' },
      { token: 'token-limited', username: 'limited', scopes: '*' },
      { token: 'token-colleague', username: 'colleague', scopes: '*' },
      { token: 'token-readonly', username: 'admin', scopes: 'account:read_only events:read_only vms:read_only volumes:read_only' },
    ],
  },
  {
    euuid: 'B2C04D11-93A7-4E0C-9F21D07A55E1C3B8',
    users: [{ username: 'other' }],
    tokens: [{ token: 'token-other', username: 'other', scopes: '*' }],
  },
];

function grantsOf(spec: UserSpec): Grants {
  return {
    account_access: spec.accountAccess ?? null,
    global: new Set(spec.globalGrants),
    objects: new Map(Object.entries(spec.objectGrants ?? {})),
  };
}

/** Who exists, and which token stands for whom. */
export class Accounts {
  readonly #users = new Map<string, User>();
  readonly #tokens = new Map<string, Token>();
  readonly specs: readonly AccountSpec[];

  constructor(specs: readonly AccountSpec[]) {
    this.specs = specs;
    for (const account of specs) {
      for (const user of account.users) this.#addUser(account.euuid, user);
      for (const token of account.tokens) this.setToken(account.euuid, token);
    }
  }

  token(value: string): Token | undefined {
    return this.#tokens.get(value);
  }

  user(euuid: string, username: string): User | undefined {
    return this.#users.get(`${euuid}/${username}`);
  }

  /** Adds a token or changes its scopes. */
  setToken(euuid: string, spec: TokenSpec): void {
    const user = this.user(euuid, spec.username);
    if (user === undefined) throw new Error(`no user ${spec.username} in account ${euuid}`);
    this.#tokens.set(spec.token, { euuid, user, scopes: spec.scopes.split(/[\s,]+/).filter((scope) => scope !== '') });
  }

  revoke(value: string): boolean {
    return this.#tokens.delete(value);
  }

  #addUser(euuid: string, spec: UserSpec): void {
    const restricted = spec.restricted ?? false;
    this.#users.set(`${euuid}/${spec.username}`, {
      username: spec.username,
      email: spec.email ?? `${spec.username}@example.org`,
      restricted,
      ...(restricted ? { grants: grantsOf(spec) } : {}),
    });
  }
}
