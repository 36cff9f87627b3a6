import { join } from 'node:path';
import { withAccount } from '../account/account-reader.ts';
import { tellSkew } from '../cluster/skew.ts';
import type { Answer, Call, Verb } from '../command.ts';
import { CliError } from '../exit.ts';
import { exported } from '../export/exported.ts';
import { promoted, writeAll } from '../export/files.ts';
import { isOurs } from '../export/manifest.ts';
import { wishesOf } from '../export/wishes.ts';
import { text } from '../flag.ts';
import type { ExportData } from '../output/account-shapes.ts';
import { table } from '../output/table.ts';

/** What exists in the account, as manifests that change nothing. */
export const exportRemotes: Verb = (call) => {
  const folder = text(call.flags, 'promote');
  return folder === undefined ? written(call) : promote(call, folder);
};

async function written(call: Call): Promise<Answer> {
  const wishes = await wishesOf(call);
  return withAccount(call, 'export', async (account) => {
    await tellSkew(
      call.session,
      wishes.kinds.map(({ kind }) => kind),
    );
    const { manifests, ...found } = await exported(call, account, wishes);
    const data: ExportData = { account: account.shown, to: wishes.to, files: [], ...found };
    if (wishes.to === '-') return answerOf(data, [...manifests.values()].join('---\n'));
    const files = new Map([...manifests].map(([key, manifest]) => [fileOf(wishes.to, wishes.style.namespace, key), manifest]));
    await writeAll(call.session.host, files);
    return answerOf({ ...data, files: [...files.keys()] }, undefined);
  });
}

export const fileOf = (folder: string, namespace: string, key: string): string => {
  const [kind = '', name = ''] = key.split(' ');
  return join(folder, namespace, `${kind.toLowerCase()}-${name}.yaml`);
};

/** Takes `management: Observe` out of what was exported, so that the operator begins to manage it. */
async function promote({ session: { host } }: Call, folder: string): Promise<Answer> {
  const files = (await host.readFiles(folder, true)).filter((file) => isOurs(file.text));
  if (files.length === 0) throw new CliError(2, `nothing in ${folder} was written by kubectl cloud`);
  const changed = files.filter((file) => promoted(file.text) !== file.text);
  for (const { name, text: manifest } of changed) await host.writeFile(name, promoted(manifest));
  const data: ExportData = { to: folder, files: changed.map(({ name }) => name), kinds: [], unproven: [], skipped: [] };
  const next = `Before you apply them: kubectl cloud plan -f ${folder} -R, which must say that nothing would happen.`;
  return { exit: 0, kind: 'Export', data, text: `${changed.length} manifests are managed once they are applied. ${next}` };
}

function answerOf(data: ExportData, manifests: string | undefined): Answer {
  return { exit: data.unproven.length > 0 ? 1 : 0, kind: 'Export', data, text: manifests ?? reportOf(data) };
}

function reportOf({ kinds, unproven, skipped, files, to }: ExportData): string {
  const rows = kinds.map(({ kind, found, written: count }) => [kind, String(found), String(count), String(skippedOf(skipped, kind))]);
  const lines = unproven.map(({ kind, path, why }) => `${kind} ${path} is not written: ${why}`);
  const reasons = [...new Set(skipped.map(({ why }) => why))].map(
    (why) => `${skipped.filter((one) => one.why === why).length} skipped: ${why}`,
  );
  const next = `Next: kubectl apply -R -f ${to}, then kubectl cloud wait -R -f ${to} --for=Observed, then kubectl cloud plan -f ${to} -R`;
  return [
    rows.length === 0 ? 'The account has nothing of these kinds.' : table(['KIND', 'FOUND', 'WRITTEN', 'SKIPPED'], rows),
    ...lines,
    ...reasons,
    `${files.length} manifests in ${to}.${files.length === 0 ? '' : ` ${next}`}`,
  ].join('\n');
}
const skippedOf = (skipped: ExportData['skipped'], kind: string): number => skipped.filter((one) => one.kind === kind).length;
