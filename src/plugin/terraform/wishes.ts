import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { namespaceFile } from '../export/placing/placing.ts';
import { filesOf, styleFor, type StyleOf, type Wishes as Exporting } from '../export/wishes.ts';
import { type Flags, on, text } from '../command-line/flag.ts';
import { types } from '../../kinds/terraform/resources.ts';
import type { Host } from '../host.ts';
import { isBelow, nameFrom } from './state/address.ts';
import type { Asking } from './items.ts';
import type { State } from './state/state.ts';

/** What a line asks for. */
export interface Wishes extends Asking, Pick<Exporting, 'layout' | 'kustomization' | 'force'> {
  readonly state: string;
  readonly to: string;
  /** Folder for what makes Terraform forget. */
  readonly forget: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether the account is asked. */
  readonly asks: boolean;
  /** Where state and account differ, the state is written. */
  readonly prefersState: boolean;
  /** Addresses of records become references to the instances that have them. */
  readonly links: boolean;
  /** Of this line. */
  readonly namespace: string;
  /** The namespace for an address; undefined: everything goes into one. */
  readonly placing: ((address: string) => string | undefined) | undefined;
  readonly styleOf: StyleOf;
  /** Name of the CloudAccount, by alias of the provider. */
  readonly accounts: ReadonlyMap<string, string>;
}

export async function wishesOf({ session, flags, args }: Call): Promise<Wishes> {
  const [what, state, ...more] = args;
  if (what !== 'terraform' || state === undefined || more.length > 0)
    throw new CliError(
      2,
      'write import terraform STATE, where STATE is the file that terraform state pull writes, or - for standard input',
    );
  const to = text(flags, 'to');
  if (to === undefined) throw new CliError(2, 'say where the manifests go: --to FOLDER, or --to - for standard output');
  const asks = text(flags, 'verify') !== 'none';
  if (on(flags, 'link') && !asks) throw new CliError(2, '--link needs the account, which knows the addresses: leave out --verify=none');
  return {
    state,
    to,
    forget: text(flags, 'forget'),
    include: lines(text(flags, 'include')),
    exclude: lines(text(flags, 'exclude')),
    asks,
    prefersState: text(flags, 'prefer') === 'state',
    links: on(flags, 'link'),
    withImage: on(flags, 'withImage'),
    withCreateFields: on(flags, 'withCreateFields'),
    inlinePools: on(flags, 'inlinePools'),
    instead: insteadOf(flags),
    accounts: new Map(lines(text(flags, 'account')).map(aliasAndName)),
    namespace: await session.namespace(),
    placing: await placingOf(session.host, text(flags, 'namespaceBy')),
    styleOf: (namespace, account) => styleFor(flags, namespace, account),
    ...filesOf(flags),
  };
}

/** What may be made of resources that otherwise stay. */
function insteadOf(flags: Flags): ReadonlySet<string> {
  const known = Object.values(types).flatMap((rule) => (rule.is === 'nothing' && rule.instead !== undefined ? [rule.instead.asked] : []));
  const asked = [
    ...(on(flags, 'withObjectAcls') ? ['--with-object-acls'] : []),
    ...lines(text(flags, 'readAs')).map((pair) => `--read-as ${pair}`),
  ];
  const wrong = asked.find((one) => !known.includes(one));
  if (wrong !== undefined)
    throw new CliError(
      2,
      `${wrong} is nothing that this release does: write ${known.filter((one) => one.startsWith('--read-as')).join(', or ')}`,
    );
  return new Set(asked);
}

const lines = (words: string | undefined): readonly string[] => words?.split('\n') ?? [];

/** `module`: the outermost one; else a file that says which addresses go where, of which the longest counts. */
async function placingOf(host: Host, word: string | undefined): Promise<Wishes['placing']> {
  if (word === undefined) return undefined;
  if (word === 'module') return (address) => moduleOf(address);
  const table = (await namespaceFile(host, word)).toSorted(([one], [other]) => other.length - one.length);
  return (address) => table.find(([above]) => isBelow(address, above))?.[1];
}

const moduleOf = (address: string): string | undefined => {
  const [, name, key = ''] = /^module\.([^.[]+)(?:\["?((?:[^"\\]|\\.)*?)"?\])?\./.exec(address) ?? [];
  return name === undefined ? undefined : nameFrom([name, ...(key === '' ? [] : [key])], address);
};

/** `linode.eu=shop/main`; without an alias the default configuration of the provider. */
function aliasAndName(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  return at === -1 ? ['', word] : [word.slice(0, at).replace(/^linode\.?/, ''), word.slice(at + 1)];
}

/** The CloudAccount of a provider's configuration. */
export function accountOf({ accounts }: Wishes, alias: string | undefined): string {
  const named = accounts.get(alias ?? '');
  if (named !== undefined) return named;
  if (alias === undefined) return 'default';
  throw new CliError(
    2,
    `the state uses the provider's configuration linode.${alias}: say which CloudAccount that is, --account linode.${alias}=NAMESPACE/NAME`,
  );
}

/** What terraform show writes names no configuration, so none could be told from another. */
export function refuseAliases({ accounts }: Wishes, { isShown }: State): void {
  const alias = [...accounts.keys()].find((one) => one !== '');
  if (isShown && alias !== undefined)
    throw new CliError(
      2,
      `what terraform show writes does not say what the provider's configuration linode.${alias} made: import what terraform state pull writes`,
    );
}
