import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AccountScene } from '../../../support/plugin/account-scene.ts';

let scene: AccountScene;
beforeEach(async () => {
  scene = await AccountScene.create();
});
const report = (): string => scene.files['fleet/REPORT.md'] ?? '';
const lines = (): readonly { files: readonly string[] }[] =>
  (scene.files['fleet/report.jsonl'] ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { files: readonly string[] });
const file = (name: string): string => `fleet/team-a/cloudvolume-${name}.yaml`;

describe('an export of a part into the folder of an earlier one', () => {
  let ids: readonly string[];
  beforeEach(async () => {
    const made = [await scene.volume('data'), await scene.volume('logs')];
    ids = made.map(({ id }) => String(id));
    await scene.as('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
    await scene.world.clock.advance(60_000);
    await scene.typed('export --to fleet --kustomization');
  });

  it('leaves what was promoted as it is, and says so', async () => {
    await scene.typed(`export --promote ${file('data')}`);
    const [data, logs] = [scene.files[file('data')], scene.files[file('logs')]];
    expect(data).not.toContain('Observe');
    const ran = await scene.typed(`export --all --to fleet --id cvol/${ids[0]} --id cvol/${ids[1]}`);
    const stays =
      'its manifest of an earlier export is managed, as after --promote, and stays as it is; --management Manage writes it anew';
    expect(ran).toMatchObject({ exit: 0, err: expect.stringContaining(`CloudVolume ${ids[0]} is not written: ${stays}\n`) as string });
    expect(ran.out).toMatch(/^CloudVolume +2 +1 +1 +0$/m);
    for (const text of [ran.out, report()]) expect(text).toContain(`1 skipped: ${stays}`);
    expect([scene.files[file('data')], scene.files[file('logs')]]).toEqual([data, logs]);
    expect((await scene.typed(`export --all --to fleet --id cvol/${ids[0]} --management Manage`)).exit).toBe(0);
    expect(scene.files[file('data')]).toBe(data);
  });

  it('does not put another thing in the place of one that was promoted', async () => {
    await scene.typed(`export --promote ${file('data')}`);
    const data = scene.files[file('data')];
    await scene.as('DELETE', `/volumes/${ids[0]}`);
    const { id } = await scene.volume('data');
    await scene.world.clock.advance(60_000);
    const ran = await scene.typed(`export --to fleet --id cvol/${String(id)}`);
    expect([ran.exit, ran.out]).toEqual([
      1,
      expect.stringContaining(
        `CloudVolume /volumes/${String(id)} is not written: ${file('data')}, of an earlier export, is managed and for CloudVolume ${ids[0]}. Name another folder`,
      ),
    ]);
    expect(scene.files[file('data')]).toBe(data);
  });

  it('keeps the report of that, and in the kustomization what was there', async () => {
    const before = report();
    const narrow = `export --to fleet --id cvol/${ids[0]} --kustomization`;
    for (const _ of [1, 2]) {
      expect((await scene.typed(narrow)).exit).toBe(0);
      expect(report()).toContain(before.replace('# What', '# Earlier: What'));
      expect(report().match(/^# .*/gm)).toEqual(['# What was exported', '# Earlier: What was exported']);
      expect(lines().map(({ files }) => files.length)).toEqual([3, 1]);
      const { resources } = parse(scene.files['fleet/team-a/kustomization.yaml'] ?? '') as { resources: readonly string[] };
      expect(resources).toEqual(['clouddomain-example-org.yaml', 'cloudvolume-data.yaml', 'cloudvolume-logs.yaml']);
    }
    await scene.typed('export --to fleet');
    expect([report(), lines().length]).toEqual([before, 1]);
  });
});
