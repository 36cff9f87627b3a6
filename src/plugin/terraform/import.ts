import { join, relative, sep } from 'node:path';
import { withAccount } from '../account/account-reader.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import type { Host, TextFile } from '../host.ts';
import { aboveEarlier, earlierIn, kustomizationsOf, managedBy, remaining } from '../export/files/earlier.ts';
import { writeAll } from '../export/files/files.ts';
import { twiceText } from '../export/files/report.ts';
import { writtenBefore } from '../export/files/written-before.ts';
import { fileOf, type Place, together } from '../export/placing/layout.ts';
import { secretsText } from '../export/secrets.ts';
import { on } from '../command-line/flag.ts';
import { refuseSkew } from '../plan/targets/targets.ts';
import { registry } from '../command-line/kinds.ts';
import type { ImportData } from '../output/account-shapes.ts';
import { table } from '../output/table.ts';
import { forgetting, isForgetting } from './forget.ts';
import { type Brought, imported, offline, type Written } from './imported.ts';
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
  const { accounts, brought: all } = await broughtIn(call, wishes, gathered.items);
  const earlier = await earlierIn(call.session.host, wishes.to);
  const brought = keepingManaged(all, earlier, wishes);
  const manifests = brought.flatMap((one) => ('manifest' in one ? [{ ...placeOf(one), ...one }] : []));
  const files = wishes.to === '-' ? [] : filesOf(manifests, wishes);
  const forget = wishes.forget === undefined ? [] : inFolder(wishes.forget, forgetting(forgettable(state, gathered, brought)));
  const data = dataOf({ state, gathered, brought, wishes, accounts, files: [...files, ...forget].map(([name]) => name) });
  const needed = forget.flatMap(([name, content]) => (isForgetting(content) ? [name] : []));
  const asked = { ...wishes, forgetting: wishes.forget === undefined ? undefined : needed };
  const beside = wishes.to === '-' ? [] : await besides(call, data, { files, earlier, wishes: asked });
  await writeAll(call.session.host, new Map([...files, ...forget, ...beside]), wishes.force);
  const lines = wishes.to === '-' ? together(manifests.map(({ manifest }) => manifest)) : reportOf(data, asked);
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

const fileIn = (place: Place, { to, layout, placing }: Wishes): string => join(to, fileOf(place, layout, placing !== undefined));
type Files = readonly (readonly [file: string, content: string])[];
const filesOf = (manifests: readonly (Place & Pick<Written, 'manifest' | 'kept'>)[], wishes: Wishes): Files =>
  manifests.flatMap((one) => (one.kept === undefined ? [[fileIn(one, wishes), one.manifest] as const] : []));
const inFolder = (folder: string, files: ReadonlyMap<string, string>): Files =>
  [...files].map(([name, content]) => [join(folder, name), content]);

/** What somebody has managed since an earlier line is not taken back to what only observes. */
function keepingManaged(brought: readonly Brought[], earlier: readonly TextFile[], wishes: Wishes): readonly Brought[] {
  const managedAt = managedBy('import', earlier);
  return brought.map((one) => {
    const managed = 'manifest' in one ? managedAt(fileIn(placeOf(one), wishes), one.manifest) : undefined;
    if (managed === undefined || !('manifest' in one)) return one;
    const { item, name, namespace } = one;
    return managed.isSame ? { ...one, kept: managed.why } : { item, name, namespace, why: managed.why };
  });
}

interface Beside {
  readonly files: Files;
  readonly earlier: readonly TextFile[];
  readonly wishes: Asked;
}
/** What the line asks for, with what makes Terraform forget. */
type Asked = Wishes & Parameters<typeof reportOf>[1];
async function besides({ session }: Call, data: ImportData, { files, earlier, wishes }: Beside): Promise<Files> {
  const { to } = wishes;
  const before = writtenBefore(earlier, new Map(files));
  for (const one of before) session.warn(twiceText(one));
  const written = files.map(([file]) => relative(to, file).replaceAll(sep, '/'));
  const lists = wishes.kustomization ? kustomizationsOf('import', to, { written, remains: remaining(earlier, before) }) : [];
  return [...lists, ...(await toRead(session.host, data, wishes))];
}

/** For people; what a program needs is -o json. What earlier lines told stays, but for what this one tells anew of all of a state. */
async function toRead(host: Host, data: ImportData, wishes: Asked): Promise<Files> {
  const { lineage } = data.state;
  const isWhole = wishes.include.length + wishes.exclude.length === 0 && lineage !== '';
  const isAnew = (told: string): boolean => isWhole && told.includes(` of lineage ${lineage}, `);
  const [report, needed] = [join(data.to, 'REPORT.md'), join(data.to, 'SECRETS.md')];
  return [
    [report, aboveEarlier(reportMarkdown(data, wishes), await host.fileText(report), isAnew)],
    ...(data.needed.length === 0 ? [] : [[needed, aboveEarlier(secretsText('import', data.needed), await host.fileText(needed))] as const]),
  ];
}

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
