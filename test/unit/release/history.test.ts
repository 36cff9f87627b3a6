import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiReport } from '../../../src/release/about/api-report.ts';
import { changeLog, historyOf } from '../../../src/release/about/history.ts';
import { runnerIn } from '../../../src/release/tools.ts';

const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'a'],
      [`GIT_${who}_EMAIL`, 'a@example.com'],
      [`GIT_${who}_DATE`, '2026-01-02T03:04:05Z'],
    ]),
  ),
};
const run = runnerIn(env);
let cwd: string;
const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd, env }).toString().trim();

async function commit(subject: string, file: string, text: string): Promise<void> {
  await mkdir(join(cwd, file, '..'), { recursive: true });
  await writeFile(join(cwd, file), text);
  git('add', '.');
  git('commit', '-qm', subject);
}
const crd = (properties: object): string =>
  JSON.stringify({ spec: { names: { kind: 'CloudThing' }, versions: [{ name: 'v1', schema: { openAPIV3Schema: { properties } } }] } });

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'history-'));
  git('init', '-q');
  await commit('Begin', 'src/a.ts', '');
  git('tag', 'v0.9.0');
  await commit('Add things', 'crds/cloudthings.yaml', crd({ spec: {}, old: {} }));
  git('tag', 'v0.10.0');
  git('tag', 'other');
  await commit('Fix what broke', 'src/a.ts', '1');
  git('tag', 'v1.0.0-rc.1');
  await commit('Add a test', 'test/a.test.ts', '');
  await commit('Take CVE-2026-1 out', 'package-lock.json', '');
  await commit('Redraw things', 'crds/cloudthings.yaml', crd({ spec: {}, new: {} }));
  await commit('Add values', 'charts/cloud-operator/values.schema.json', '{}');
  git('tag', 'v1.0.0');
});
afterAll(() => rm(cwd, { recursive: true }));

describe('the history of a release', () => {
  it('begins at the release before, and leaves out what users do not see', async () => {
    const { previous, changes, time } = await historyOf(cwd, '1.0.0', run);
    expect(previous).toBe('v0.10.0');
    expect(changes.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'added: Add values',
      'changed: Redraw things',
      'security: Take CVE-2026-1 out',
      'fixed: Fix what broke',
    ]);
    expect(time.toISOString()).toBe('2026-01-02T03:04:05.000Z');
  });
  it('of a candidate begins at the candidate before', async () => {
    expect((await historyOf(cwd, '1.0.0-rc.2', run)).previous).toBe('v1.0.0');
    git('checkout', '-q', 'HEAD~1');
    expect((await historyOf(cwd, '1.0.0-rc.2', run)).previous).toBe('v1.0.0-rc.1');
    git('checkout', '-q', '-');
  });
  it('is a change log with what matters most first', async () => {
    const text = changeLog('1.0.0', await historyOf(cwd, '1.0.0', run));
    expect(text).toMatch(/^# 1\.0\.0 \(2026-01-02\)\n/);
    expect(text.match(/^## .*/gm)).toEqual(['## Security', '## Added', '## Changed', '## Fixed']);
    expect(text).toContain('## Fixed\n\n- Fix what broke\n');
  });
  it('says that a first release is one', async () => {
    const alone = await historyOf(cwd, '0.9.0', (tool, args, options) =>
      args.includes('tag') ? Promise.resolve(Buffer.from('v0.9.0\n')) : run(tool, args, options),
    );
    expect(alone).toMatchObject({ previous: undefined, changes: [{ kind: 'added', text: 'First release' }] });
    expect(await apiReport('0.9.0', undefined, { cwd, run })).toContain('first release');
  });
});

describe('the report of API changes', () => {
  it('has what may break first, then the rest, by kind and values', async () => {
    const text = await apiReport('1.0.0', 'v0.10.0', { cwd, run });
    expect(text).toContain('## May break\n\n### CloudThing (v1)\n\n- `old` is gone\n\n## New or wider\n');
    expect(text).toContain('- `new` is new\n\n### Values of the chart\n\n- is new\n');
  });
  it('says that nothing breaks', async () => {
    expect(await apiReport('1.0.0', 'HEAD', { cwd, run })).toMatch(/## May break\n\nNothing\.\n$/);
  });
});
