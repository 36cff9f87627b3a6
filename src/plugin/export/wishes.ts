import { type AnyKind, asCollection, type Row } from '../../resource/index.ts';
import type { Call } from '../command-line/command.ts';
import type { Remote } from '../dry/standing.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { kindFrom, registry } from '../command-line/kinds.ts';
import type { ExportData } from '../output/account-shapes.ts';
import { settings, whyUnlisted, whyUnwritten } from '../orphans/settings.ts';
import { isHeld } from '../orphans/wishes.ts';
import { filterOf } from './placing/filters.ts';
import type { Layout } from './placing/layout.ts';
import type { Style } from './files/manifest.ts';
import { type Placing, placingOf, type Reserved, reservedFor } from './placing/placing.ts';

/** What a line asks for. */
export interface Wishes {
  readonly to: string;
  readonly kinds: readonly AnyKind[];
  /** Left out because the line names no kinds, and why. */
  readonly unasked: NonNullable<ExportData['unasked']>;
  /** Also what an object stands for already. */
  readonly all: boolean;
  /** Also what another installation manages. */
  readonly foreign: boolean;
  /** `cvol/4711`; undefined: everything. */
  readonly ids?: ReadonlySet<string>;
  /** Of a remote and what it lies below; undefined: each. */
  readonly fits: ((lineage: readonly Remote[]) => boolean) | undefined;
  /** Undefined: everything goes into one namespace. */
  readonly placing: Placing | undefined;
  /** Where that puts nothing. */
  readonly isReserved: Reserved;
  /** Of this line. */
  readonly namespace: string;
  readonly styleOf: StyleOf;
  readonly byId: boolean;
  readonly namesById: boolean;
  readonly withImage: boolean;
  readonly layout: Layout;
  readonly kustomization: boolean;
  readonly force: boolean;
}

/** How manifests are written in a namespace, of an account that is named as NAMESPACE/NAME. */
export type StyleOf = (namespace: string, account: string) => Style;

export async function wishesOf({ session, flags }: Call): Promise<Wishes> {
  const to = text(flags, 'to');
  if (to === undefined) throw new CliError(2, 'say where the manifests go: --to FOLDER, or --to - for standard output');
  if (on(flags, 'all') && on(flags, 'unmanaged')) throw new CliError(2, '--all and --unmanaged exclude each other');
  const ids = text(flags, 'id')?.split('\n').map(idFrom);
  const by = text(flags, 'namespaceBy');
  return {
    to,
    kinds: kindsOf(flags, ids),
    unasked: unaskedOf(flags, ids),
    all: on(flags, 'all'),
    foreign: on(flags, 'includeForeign'),
    ...(ids !== undefined && { ids: new Set(ids.map(({ kind, id }) => `${kind.kind} ${id}`)) }),
    fits: filterOf(flags),
    placing: by === undefined ? undefined : await placingOf(session.host, by),
    isReserved: await reservedFor(session, by),
    namespace: await session.namespace(),
    styleOf: (namespace, account) => styleFor(flags, namespace, account),
    byId: text(flags, 'refs') === 'external',
    namesById: text(flags, 'nameBy') === 'id',
    withImage: on(flags, 'withImage'),
    ...filesOf(flags),
  };
}

/** How files are written. */
export const filesOf = (flags: Call['flags']): Pick<Wishes, 'layout' | 'kustomization' | 'force'> => ({
  layout: (text(flags, 'layout') ?? 'namespace') as Layout,
  kustomization: on(flags, 'kustomization'),
  force: on(flags, 'force'),
});

export const managementOf = (flags: Call['flags']): Style['management'] => (text(flags, 'management') === 'Manage' ? 'Manage' : 'Observe');

/** How manifests are written for objects of this namespace and this account. */
export function styleFor(flags: Call['flags'], namespace: string, account: string): Style {
  const accountRef = accountRefOf(account, namespace);
  const onDelete = text(flags, 'onDelete');
  return {
    namespace,
    ...(accountRef !== undefined && { accountRef }),
    management: managementOf(flags),
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

interface Named {
  readonly kind: AnyKind;
  readonly id: string;
}
function idFrom(word: string): Named {
  const at = word.indexOf('/');
  if (at < 1 || at === word.length - 1) throw new CliError(2, `--id ${word}: write KIND/ID, for example --id cvol/4711`);
  return { kind: kindFrom(word.slice(0, at)), id: word.slice(at + 1) };
}

function kindsOf(flags: Call['flags'], ids: readonly Named[] | undefined): readonly AnyKind[] {
  if (ids !== undefined) return [...new Set(ids.map(({ kind }) => kind))];
  const words = text(flags, 'kinds');
  const wanted = words === undefined ? registry.kinds.filter(isHeld) : kindsIn(words, 'kinds');
  const excluded = new Set(kindsIn(text(flags, 'excludeKinds') ?? '', 'exclude-kinds'));
  const isTop = text(flags, 'depth') === 'top';
  return wanted.filter((kind) => !excluded.has(kind) && !(isTop && kind.parent !== undefined));
}

const unaskedOf = (flags: Call['flags'], ids: readonly Named[] | undefined): Wishes['unasked'] =>
  ids !== undefined || text(flags, 'kinds') !== undefined
    ? []
    : registry.kinds
        .filter((kind) => !isHeld(kind) && (asCollection(kind) !== undefined || settings.includes(kind)))
        .map((one) => ({ kind: one.kind, why: whyUnasked(one) }));
const whyUnasked = (kind: AnyKind): string =>
  settings.includes(kind)
    ? whyUnwritten(kind)
    : `it comes and goes with what carries it, whose manifests name it; --kinds ${kind.shortName} writes objects for it too`;

function kindsIn(words: string, flag: string): readonly AnyKind[] {
  if (words === '') return [];
  const named = words.split(',').map(kindFrom);
  const never = named.find((kind) => asCollection(kind) === undefined);
  if (never !== undefined) throw new CliError(2, `--${flag} ${never.kind}: ${neverText(never)}`);
  return [...new Set(named)];
}
const neverText = (kind: AnyKind): string =>
  settings.includes(kind) ? whyUnwritten(kind) : `${whyUnlisted(kind) ?? ''}, so there is nothing to adopt`;
