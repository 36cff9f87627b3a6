import type { Call } from '../command.ts';
import { CliError } from '../exit.ts';
import { styleFor } from '../export/wishes.ts';
import type { Style } from '../export/manifest.ts';
import { text } from '../flag.ts';

/** What a line asks for. */
export interface Wishes {
  readonly state: string;
  readonly to: string;
  /** Folder for what makes Terraform forget. */
  readonly forget: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether the account is asked. */
  readonly asks: boolean;
  readonly styleOf: (account: string) => Style;
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
  const namespace = await session.namespace();
  return {
    state,
    to,
    forget: text(flags, 'forget'),
    include: lines(text(flags, 'include')),
    exclude: lines(text(flags, 'exclude')),
    asks: text(flags, 'verify') !== 'none',
    accounts: new Map(lines(text(flags, 'account')).map(aliasAndName)),
    styleOf: (account) => styleFor(flags, namespace, account),
  };
}

const lines = (words: string | undefined): readonly string[] => words?.split('\n') ?? [];

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
