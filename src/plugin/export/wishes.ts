import { type AnyKind, asCollection, type Row } from '../../resource/index.ts';
import type { Call } from '../command.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../flag.ts';
import { kindFrom, registry } from '../kinds.ts';
import { isHeld } from '../orphans/wishes.ts';
import type { Style } from './manifest.ts';

/** What a line asks for. */
export interface Wishes {
  readonly to: string;
  readonly kinds: readonly AnyKind[];
  /** Also what an object stands for already. */
  readonly all: boolean;
  /** Also what another installation manages. */
  readonly foreign: boolean;
  /** `cvol/4711`; undefined: everything. */
  readonly ids?: ReadonlySet<string>;
  readonly style: Style;
  readonly byId: boolean;
}

export async function wishesOf(call: Call): Promise<Wishes> {
  const { flags } = call;
  const to = text(flags, 'to');
  if (to === undefined) throw new CliError(2, 'say where the manifests go: --to FOLDER, or --to - for standard output');
  const ids = text(flags, 'id')?.split('\n').map(idFrom);
  return {
    to,
    kinds: ids === undefined ? kindsOf(text(flags, 'kinds')) : [...new Set(ids.map(({ kind }) => kind))],
    all: on(flags, 'all'),
    foreign: on(flags, 'includeForeign'),
    ...(ids !== undefined && { ids: new Set(ids.map(({ kind, id }) => `${kind.kind} ${id}`)) }),
    style: await styleOf(call),
    byId: text(flags, 'refs') === 'external',
  };
}

async function styleOf({ session, flags }: Call): Promise<Style> {
  return styleFor(flags, await session.namespace(), text(flags, 'account') ?? 'default');
}

/** How manifests are written for objects of this namespace and this account. */
export function styleFor(flags: Call['flags'], namespace: string, account: string): Style {
  const accountRef = accountRefOf(account, namespace);
  const onDelete = text(flags, 'onDelete');
  return {
    namespace,
    ...(accountRef !== undefined && { accountRef }),
    management: text(flags, 'management') === 'Manage' ? 'Manage' : 'Observe',
    ...((onDelete === 'Retain' || onDelete === 'Delete') && { onDelete }),
    strict: on(flags, 'strict'),
  };
}

/** Left out where it says what its absence says. */
function accountRefOf(account: string, namespace: string): Row | undefined {
  const [first = '', second] = account.split('/');
  if (second === undefined || first === namespace) return (second ?? first) === 'default' ? undefined : { name: second ?? first };
  return { name: second, namespace: first };
}

function idFrom(word: string): { readonly kind: AnyKind; readonly id: string } {
  const at = word.indexOf('/');
  if (at < 1 || at === word.length - 1) throw new CliError(2, `--id ${word}: write KIND/ID, for example --id cvol/4711`);
  return { kind: kindFrom(word.slice(0, at)), id: word.slice(at + 1) };
}

function kindsOf(words: string | undefined): readonly AnyKind[] {
  if (words === undefined) return registry.kinds.filter(isHeld);
  const named = words.split(',').map(kindFrom);
  const always = named.find((kind) => asCollection(kind) === undefined);
  if (always !== undefined) throw new CliError(2, `--kinds ${always.kind}: it is always there, and has nothing to adopt`);
  return [...new Set(named)];
}
