import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AccountScene } from '../../../support/plugin/account-scene.ts';
import { one } from '../../../support/terraform/made.ts';
import { written } from '../../../support/terraform/rows.ts';
import { stateText } from '../../../support/terraform/state.ts';

let scene: AccountScene;
const file = (name: string): string => `fleet/team-a/cloudvolume-${name}.yaml`;
const line = 'import terraform state.json --to fleet --kustomization';
beforeEach(async () => {
  scene = await AccountScene.create();
  const [data, logs] = [await scene.volume('data'), await scene.volume('logs')];
  await scene.world.clock.advance(60_000);
  scene.files['state.json'] = stateText('3.13', [
    one('linode_volume', 'data', written.linode_volume(data)),
    one('linode_volume', 'logs', written.linode_volume(logs)),
  ]);
  await scene.typed(line);
});

describe('an import into the folder of an earlier one', () => {
  it('leaves what was promoted as it is, and says so', async () => {
    await scene.typed(`export --promote ${file('data')}`);
    const [data, logs] = [scene.files[file('data')], scene.files[file('logs')]];
    expect([data?.includes('Observe'), logs?.includes('Observe')]).toEqual([false, true]);
    const ran = await scene.typed(`${line} --forget tf`);
    expect([ran.exit, ran.out]).toEqual([
      0,
      expect.stringContaining(
        'CloudVolume data: its manifest of an earlier import is managed, as after --promote, and stays as it is; --management Manage writes it anew',
      ),
    ]);
    expect([scene.files[file('data')], scene.files[file('logs')]]).toEqual([data, logs]);
    expect(scene.files['tf/removed.tf']).toContain('from = linode_volume.data\n');
    await scene.typed(`${line} --management Manage --on-delete Delete`);
    expect(scene.files[file('data')]).toContain('onDelete: Delete');
  });

  it('does not put another thing in the place of one that was promoted', async () => {
    await scene.typed(`export --promote ${file('data')}`);
    const data = scene.files[file('data')];
    const another = await scene.volume('another');
    await scene.world.clock.advance(60_000);
    scene.files['state.json'] = stateText('3.13', [one('linode_volume', 'data', written.linode_volume(another))]);
    const ran = await scene.typed(line);
    expect([ran.exit, ran.out]).toEqual([
      1,
      expect.stringContaining(`${file('data')}, of an earlier import, is managed and for CloudVolume`),
    ]);
    expect(scene.files[file('data')]).toBe(data);
  });

  it('of a part keeps the report of all, and in the kustomization what was there', async () => {
    const before = scene.files['fleet/REPORT.md'] ?? '';
    const resources = (): unknown => (parse(scene.files['fleet/team-a/kustomization.yaml'] ?? '') as { resources: unknown }).resources;
    for (const _ of [1, 2]) {
      expect((await scene.typed(`${line} --include linode_volume.logs`)).exit).toBe(0);
      expect(scene.files['fleet/REPORT.md']).toContain(before.replace('# What', '# Earlier: What'));
      expect(scene.files['fleet/REPORT.md']?.match(/^# .*/gm)).toEqual(['# What was imported', '# Earlier: What was imported']);
      expect(resources()).toEqual(['cloudvolume-data.yaml', 'cloudvolume-logs.yaml']);
    }
    await scene.typed(line);
    expect(scene.files['fleet/REPORT.md']).toBe(before);
  });

  it('keeps in the kustomization what an export wrote there', async () => {
    await scene.as('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
    await scene.world.clock.advance(60_000);
    await scene.typed('export --to fleet --kinds cdom --kustomization');
    expect(scene.files['fleet/REPORT.md']?.match(/^# .*/gm)).toEqual(['# What was exported', '# Earlier: What was imported']);
    await scene.typed(line);
    expect(scene.files['fleet/team-a/kustomization.yaml']).toContain('- clouddomain-example-org.yaml\n');
  });
});

it('import says where nothing is to be forgotten, in the file and in what it tells', async () => {
  const { out } = await scene.typed(`${line} --forget tf`);
  expect(out).toContain('Then let Terraform forget it, by tf/removed.tf, as it says at its head:');
  expect(scene.files['tf/forget.sh']).toMatch(
    /\n# Nothing is to be done here: there is no instance of count or for_each that is imported\. removed\.tf has all that is to be forgotten\.\n$/,
  );
  expect(scene.files['tf/removed.tf']).not.toContain('Nothing is to be done');
});
