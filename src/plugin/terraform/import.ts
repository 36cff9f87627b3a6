import { join } from 'node:path';
import { withAccount } from '../account/account-reader.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { writeAll } from '../export/files/files.ts';
import { fileOf, kustomizations, type Place, together } from '../export/placing/layout.ts';
import { secretsText } from '../export/secrets.ts';
import { on } from '../command-line/flag.ts';
import { refuseSkew } from '../plan/targets/targets.ts';
import { registry } from '../command-line/kinds.ts';
import type { ImportData } from '../output/account-shapes.ts';
import { table } from '../output/table.ts';
import { forgetting } from './forget.ts';
import { type Brought, imported, offline } from './imported.ts';
import { chosenBy, Gathering, type Item } from './items.ts';
import { mapping } from './mapping.ts';
import { type State, stateOf } from './state/state.ts';
import { accountOf, refuseAliases, type Wishes, wishesOf } from './wishes.ts';
import { dataOf } from './data.ts';
import { nothingIn, reportMarkdown, reportOf } from './report.ts';

/** What a Terraform state has, as manifests that change nothing. */
export const importStates: Verb = (call) => (on(call.flags, 'mapping') ? Promise.resolve(shownMapping()) : written(call));

async function written(call: Call): Promise<Answer> {
  const wishes = await wishesOf(call);
  const state = await stateFrom(call, wishes.state);
  refuseAliases(wishes, state);
  const gathered = new Gathering(state, chosenBy(state, wishes.include, wishes.exclude), wishes);
  if (state.instances.length === 0) return nothingOf(call, dataOf({ state, gathered, brought: [], wishes, accounts: [], files: [] }));
  const { accounts, brought } = await broughtIn(call, wishes, gathered.items);
  const manifests = brought.flatMap((one) => ('manifest' in one ? [{ ...placeOf(one), ...one }] : []));
  const relative = wishes.to === '-' ? new Map<string, string>() : filesOf(manifests, wishes);
  const files = inFolder(wishes.to, relative);
  const forget = wishes.forget === undefined ? [] : inFolder(wishes.forget, forgetting(forgettable(state, gathered, brought)));
  const data = dataOf({ state, gathered, brought, wishes, accounts, files: [...files, ...forget].map(([name]) => name) });
  const beside = wishes.to === '-' ? [] : [...besides([...relative.keys()], wishes), ...toRead(data, wishes)];
  await writeAll(call.session.host, new Map([...files, ...forget, ...beside]), wishes.force);
  const lines = wishes.to === '-' ? together(manifests.map(({ manifest }) => manifest)) : reportOf(data, wishes);
  const isWhole = data.left.length === 0 && (!wishes.asks || data.written.every(({ proven }) => proven));
  return { exit: isWhole ? 0 : 1, kind: 'Import', data, lines };
}

/** No file, so that none of an earlier line is lost either. */
function nothingOf({ session }: Call, data: ImportData): Answer {
  // Standard output is for manifests alone then.
  const isPiped = data.to === '-';
  if (isPiped) session.say(nothingIn(data));
  return { exit: 0, kind: 'Import', data, lines: isPiped ? [] : [nothingIn(data)] };
}

const placeOf = ({ item, name, namespace }: Brought): Place => ({ kind: item.kind, name, namespace });

async function stateFrom({ session }: Call, path: string): Promise<State> {
  const [file, another] = await session.host.readFiles(path, false);
  if (file === undefined || another !== undefined) throw new CliError(2, `${path} is not one file: name the state itself`);
  return stateOf(path === '-' ? 'standard input' : path, file.text);
}

/** By path below the folder. */
const filesOf = (manifests: readonly (Place & { readonly manifest: string })[], { layout, placing }: Wishes): ReadonlyMap<string, string> =>
  new Map(manifests.map((one) => [fileOf(one, layout, placing !== undefined), one.manifest]));
const inFolder = (folder: string, files: ReadonlyMap<string, string>): readonly (readonly [string, string])[] =>
  [...files].map(([name, content]) => [join(folder, name), content]);

const besides = (names: readonly string[], { to, kustomization }: Wishes): readonly (readonly [string, string])[] =>
  kustomization ? inFolder(to, kustomizations('import', names)) : [];
/** For people; what a program needs is -o json. */
const toRead = (data: ImportData, wishes: Wishes): readonly (readonly [string, string])[] => [
  [join(data.to, 'REPORT.md'), reportMarkdown(data, wishes)],
  ...(data.needed.length === 0 ? [] : [[join(data.to, 'SECRETS.md'), secretsText('import', data.needed)] as const]),
];

function shownMapping(): Answer {
  const data = { mapping: mapping() };
  const rows = data.mapping.map(({ type, attribute, becomes }) => [type, attribute, becomes]);
  return { exit: 0, kind: 'Mapping', data, lines: table(['TYPE', 'ATTRIBUTE', 'BECOMES'], rows) };
}

async function broughtIn(call: Call, wishes: Wishes, items: readonly Item[]) {
  const groups = Map.groupBy(items, ({ alias }) => accountOf(wishes, alias));
  const accounts: ImportData['accounts'][number][] = [];
  const brought: Brought[] = [];
  for (const [name, group] of groups) {
    if (!wishes.asks) brought.push(...offline(group, name, wishes));
    else
      await withAccount({ ...call, flags: { ...call.flags, account: name } }, 'import', async (account) => {
        await refuseSkew(
          call,
          registry.kinds.filter(({ kind }) => group.some((item) => item.kind === kind)),
        );
        accounts.push(account.shown);
        brought.push(...(await imported(call, account, group, wishes)));
      });
  }
  return { accounts, brought };
}

/** Resources of which all that they say is in a manifest now. */
function forgettable({ instances }: State, { left }: Gathering, brought: readonly Brought[]): State['instances'] {
  const written = new Set(brought.flatMap((one) => ('manifest' in one ? one.item.addresses : [])));
  const kept = new Set([
    ...brought.flatMap((one) => ('why' in one || one.item.stays !== undefined ? one.item.addresses : [])),
    ...left.map(({ address }) => address),
  ]);
  return instances.filter(({ address }) => written.has(address) && !kept.has(address));
}
