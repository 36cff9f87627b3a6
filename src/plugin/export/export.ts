import { join } from 'node:path';
import { oneLine } from '../../lib/one-line.ts';
import { type AccountReader, withAccount } from '../account/account-reader.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { paid } from '../cost/paid.ts';
import { CliError } from '../exit.ts';
import { unadmitted } from './placing/admitted.ts';
import { checked } from './check.ts';
import { type Exported, exported } from './exported.ts';
import { aboveEarlier, behindEarlier, earlierIn, keepingManaged, kustomizationsOf, remaining } from './files/earlier.ts';
import { promoted, stillObserves, writeAll } from './files/files.ts';
import { fileOf, together } from './placing/layout.ts';
import { isOurs } from './files/manifest.ts';
import { reportMarkdown, reportLines } from './files/report.ts';
import { secretsText } from './secrets.ts';
import { tellUnwritten } from './files/unwritten.ts';
import { writtenBefore } from './files/written-before.ts';
import { managementOf, type Wishes, wishesOf } from './wishes.ts';
import { text } from '../command-line/flag.ts';
import { refuseSkew } from '../plan/targets/targets.ts';
import type { ExportData } from '../output/account-shapes.ts';
import { counted } from '../../lib/counted.ts';

/** What exists in the account, as manifests that change nothing. */
export const exportRemotes: Verb = (call) => {
  const [promoting, checking] = [text(call.flags, 'promote'), text(call.flags, 'check')];
  if (checking !== undefined) return checked(call, checking);
  return promoting === undefined ? written(call) : promote(call, promoting);
};

async function written(call: Call): Promise<Answer> {
  const wishes = await wishesOf(call);
  return withAccount(call, 'export', async (account) => {
    await refuseSkew(call, wishes.kinds);
    const earlier = await earlierIn(call.session.host, wishes.to);
    const all = keepingManaged(await exported(call, account, wishes), earlier, wishes);
    const unwritten = tellUnwritten(call.session, all, wishes);
    const data = await dataOf(call, account, all, wishes);
    const answer = (whole: ExportData, lines: readonly string[]): Answer => ({ ...answerOf(whole, lines), ...unwritten });
    if (wishes.to === '-') return answer(data, together(all.manifests.map((manifest) => manifest.text)));
    const manifests = filesOf(all, wishes);
    const files = inFolder(wishes.to, manifests);
    const before = writtenBefore(earlier, new Map(files));
    const whole: ExportData = { ...data, files: files.map(([name]) => name), ...(before.length > 0 && { before }) };
    const beside = wishes.kustomization
      ? kustomizationsOf('export', wishes.to, { written: [...manifests.keys()], remains: remaining(earlier, before) })
      : [];
    const reports = await toRead(call, whole);
    await writeAll(call.session.host, new Map([...files, ...beside, ...reports]), wishes.force);
    return answer(whole, reportLines(whole, { kustomization: wishes.kustomization, management: managementOf(call.flags) }));
  });
}

async function dataOf(call: Call, account: AccountReader, all: Exported, { to, unasked }: Wishes): Promise<ExportData> {
  const { manifests, kinds, unproven, skipped, unread, standing } = all;
  const access = await unadmitted(call.session, account.shown.account, { manifests, bound: standing.bound });
  return {
    account: account.shown,
    to,
    files: [],
    kinds,
    unproven,
    skipped,
    unread: [...unread],
    marking: manifests.flatMap(({ kind, remote: { path }, marking: why }) => (why === undefined ? [] : [{ kind, path, why }])),
    leftAlone: manifests.flatMap(({ kind, remote: { path }, followers }) =>
      followers.map(({ field, why }) => ({ kind, path, field, why })),
    ),
    unasked: [...unasked],
    secrets: manifests.flatMap(({ secrets }) => secrets),
    givenOut: manifests.flatMap(({ givenOut, kind, name, namespace }) =>
      givenOut === undefined ? [] : [{ object: `${kind} ${namespace}/${name}`, secret: `${namespace}/${givenOut}` }],
    ),
    access: [...access],
    // Prices take the account's catalogues, which nobody reads on standard output.
    ...(to !== '-' && {
      monthly: await paid(call, account, [...manifests.map(({ remote }) => remote), ...all.members]),
    }),
  };
}

/** By path below the folder. */
const filesOf = ({ manifests }: Exported, { layout, placing }: Wishes): ReadonlyMap<string, string> =>
  new Map(manifests.map((manifest) => [fileOf(manifest, layout, placing !== undefined), manifest.text]));
const inFolder = (folder: string, files: ReadonlyMap<string, string>): readonly (readonly [string, string])[] =>
  [...files].map(([name, content]) => [join(folder, name), content]);

/**
 * For people, and for programs: `kubectl apply -R` takes every .json for a manifest, and none that ends so. What earlier lines told stays,
 * but for what one that is about the whole of an account tells anew.
 */
async function toRead({ session: { host }, flags }: Call, data: ExportData): Promise<readonly (readonly [string, string])[]> {
  const { to, secrets = [], account } = data;
  const isWhole = narrowedBy(flags) === undefined && text(flags, 'depth') !== 'top';
  const isAnew = (told: string): boolean => isWhole && account !== undefined && told.includes(account.id);
  const [report, lines, needed] = ['REPORT.md', 'report.jsonl', 'SECRETS.md'].map((name) => join(to, name)) as [string, string, string];
  const line = `${oneLine(JSON.stringify({ writtenBy: '# Written by kubectl cloud export.', ...data }))}\n`;
  return [
    [report, aboveEarlier(reportMarkdown(data), await host.fileText(report), isAnew)],
    [lines, behindEarlier(line, await host.fileText(lines), isAnew)],
    ...(secrets.length === 0 ? [] : [[needed, aboveEarlier(secretsText('export', secrets), await host.fileText(needed))] as const]),
  ];
}

/** What chooses among things of the account, by the name of its flag. */
const narrowing = { kinds: '--kinds', excludeKinds: '--exclude-kinds', tag: '--tag', region: '--region', label: '--label', id: '--id' };
const narrowedBy = (flags: Call['flags']): string | undefined =>
  Object.entries(narrowing).find(([name]) => text(flags, name) !== undefined)?.[1];

/** Takes `management: Observe` out of what was exported, so that the operator begins to manage it. */
async function promote({ session, flags }: Call, folder: string): Promise<Answer> {
  const { host } = session;
  const narrowed = narrowedBy(flags);
  if (narrowed !== undefined)
    throw new CliError(
      2,
      `--promote takes all that this verb wrote into ${folder}, and no ${narrowed}. To promote some of it, name a file of it: --promote FILE`,
    );
  const files = (await host.readFiles(folder, true)).filter((file) => isOurs(file.text));
  if (files.length === 0) throw new CliError(2, `nothing in ${folder} was written by kubectl cloud`);
  const changed = files.filter((file) => promoted(file.text) !== file.text);
  for (const { name, text: manifest } of changed) await host.writeFile(name, promoted(manifest));
  const left = files.filter((file) => stillObserves(promoted(file.text)));
  for (const { name } of left)
    session.warn(
      `${name} goes on to observe only: its lifecycle is not written as this verb writes it. Take management: Observe out of it yourself`,
    );
  const data: ExportData = { to: folder, files: changed.map(({ name }) => name), kinds: [], unproven: [], skipped: [] };
  const next = `Before you apply them: kubectl cloud plan -f ${folder} -R --only-changes, which must say that nothing would happen, or of a cluster only that it marks its pools by a tag.`;
  return {
    exit: left.length > 0 ? 1 : 0,
    kind: 'Export',
    data,
    lines: [`${counted(changed.length, 'manifest is', 'manifests are')} managed once applied. ${next}`],
  };
}

const answerOf = (data: ExportData, lines: readonly string[]): Answer => ({
  exit: data.unproven.length + (data.unread?.length ?? 0) > 0 ? 1 : 0,
  kind: 'Export',
  data,
  lines,
});
