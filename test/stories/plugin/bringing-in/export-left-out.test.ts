import { beforeEach, describe, expect, it } from 'vitest';
import type { ExportData } from '../../../../src/plugin/output/account-shapes.ts';
import { AccountScene, minute } from '../../../support/plugin/account-scene.ts';
import { dataOf } from '../../../support/plugin/cloud-cli.ts';
import { years } from '../../../support/world/years.ts';

let scene: AccountScene;
beforeEach(async () => {
  scene = await AccountScene.create({ emulator: { knobs: { extraPublicAddresses: true } } });
});
const report = (): string => scene.files['fleet/REPORT.md'] ?? '';

describe('what export leaves out', () => {
  it('of a database that is being made is named, and all else is written', async () => {
    await scene.volume('data');
    const made = { label: 'new', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' };
    const { id } = await scene.as('POST', '/databases/mysql/instances', made);
    const ran = await scene.typed('export --to fleet');
    const says = `CloudDatabaseBackup below /databases/mysql/instances/${String(id)}/backups is left out: `;
    expect([ran.exit, ran.err, ran.out, report()]).toEqual([
      1,
      expect.stringContaining(says),
      expect.stringContaining(says),
      expect.stringContaining(`- ${says}`),
    ]);
    expect(report()).toContain('Your database is provisioning');
    expect(scene.manifests().map(({ kind }) => kind)).toEqual(expect.arrayContaining(['CloudVolume', 'CloudDatabase']));
    await scene.world.clock.advance(60 * minute);
    const again = await scene.typed('export --to fleet -o json');
    expect([again.exit, (dataOf(again) as unknown as ExportData).unread]).toEqual([0, []]);
  });

  it('are tags as such, unless they are named', async () => {
    await scene.volume('data', { tags: ['shop'] });
    const whole = await scene.typed('export --to fleet');
    for (const text of [whole.out, report()]) {
      expect(text).toContain('CloudTag is left out: it comes and goes with what carries it');
      for (const kind of ['CloudManagedInstanceSettings', 'CloudLongviewPlan', 'CloudIPShare', 'CloudObjectACL'])
        expect(text).toContain(`${kind} is left out: it is a setting `);
      expect(text).toContain('CloudLongviewPlan is left out: it is a setting of the account and has no id of its own, and may be paid for');
    }
    const named = await scene.typed('export --to fleet --kinds ctag');
    expect([named.exit, named.out.includes('left out')]).toEqual([0, false]);
    expect(scene.manifests().find(({ kind }) => kind === 'CloudTag')?.spec).toMatchObject({ label: 'shop' });
  });
});

it('names the Secrets that are written as soon as its manifests are applied', async () => {
  const made = { label: 'shop', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' };
  await scene.as('POST', '/databases/mysql/instances', made);
  await scene.volume('data');
  await scene.world.clock.advance(60 * minute);
  const { out } = await scene.typed('export --to fleet');
  for (const text of [out, report()])
    expect(text).toMatch(/also while they only observe, .* into Secrets: CloudDatabase \S+\/shop into \S+\/shop-cdb\.$/m);
  const ran = await scene.typed('export --to again -o json');
  expect((dataOf(ran) as unknown as ExportData).givenOut).toMatchObject([{ secret: expect.stringMatching(/\/shop-cdb$/) as string }]);
});

it('REPORT.md begins with a comment that is no heading, and is written over, also that of an earlier release', async () => {
  await scene.volume('data');
  for (const before of ['<!-- # Written by kubectl cloud export. -->\n# What was exported\n', undefined]) {
    if (before !== undefined) scene.files['fleet/REPORT.md'] = before;
    expect((await scene.typed('export --to fleet --kinds cvol')).exit).toBe(0);
    expect(report()).toMatch(/^<!-- Written by kubectl cloud export\. -->\n# What was exported\n/);
  }
});

describe('the disks of an instance that are exported with it', () => {
  it('stay as they are when its type is changed', async () => {
    const { world } = scene;
    await years(scene);
    expect((await scene.typed('export --to fleet --kinds cinst,cdisk')).exit).toBe(0);
    expect(scene.manifests().find(({ kind }) => kind === 'CloudInstance')?.spec).toMatchObject({ autoResizeDisk: false });
    await world.start();
    for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, metadata.name, { ...spec, lifecycle: {} });
    for (const { kind, metadata } of scene.manifests()) await world.ready(kind, metadata.name);
    await world.patch('CloudInstance', 'web-1', {
      spec: { type: 'g6-standard-2', lifecycle: { approve: ['InPlace', 'Reboot'] } },
    });
    await world.clock.advance(60 * minute);
    expect((await world.get('CloudInstance', 'web-1')).status).toMatchObject({ type: 'g6-standard-2' });
    for (const { kind, metadata } of scene.manifests()) await world.ready(kind, metadata.name);
  });

  it('follow it without a question where it is not exported with them and does not say that they stay', async () => {
    const { world } = scene;
    await years(scene);
    const [web] = world.emulator.control.rows('instances') as unknown as readonly { readonly id: number }[];
    await world.start();
    await world.apply('CloudInstance', 'web-1', { region: 'us-east', type: 'g6-nanode-1', label: 'web-1', adopt: { id: web?.id } });
    await world.ready('CloudInstance', 'web-1');
    const ran = await scene.typed('export --to fleet --kinds cinst,cdisk');
    expect([ran.exit, ran.out]).toEqual([
      0,
      expect.stringContaining('sizeMB is left alone (lifecycle.ignoreFields), as a single disk beside swap takes'),
    ]);
    const disks = scene.manifests();
    expect(disks.map(({ kind }) => kind)).toEqual(['CloudDisk', 'CloudDisk']);
    expect(disks.map(({ spec }) => [spec['filesystem'], (spec['lifecycle'] as { ignoreFields?: string[] }).ignoreFields])).toEqual(
      expect.arrayContaining([
        ['ext4', ['sizeMB']],
        ['swap', undefined],
      ]),
    );
    for (const { kind, metadata, spec } of disks) {
      const { ignoreFields } = spec['lifecycle'] as { readonly ignoreFields?: readonly string[] };
      await world.apply(kind, metadata.name, { ...spec, lifecycle: ignoreFields === undefined ? {} : { ignoreFields } });
    }
    for (const type of ['g6-standard-2', 'g6-standard-1']) {
      await world.patch('CloudInstance', 'web-1', { spec: { type, lifecycle: { approve: ['InPlace', 'Reboot'] } } });
      await world.clock.advance(60 * minute);
      expect((await world.get('CloudInstance', 'web-1')).status).toMatchObject({ type });
      for (const { kind, metadata } of disks) {
        await world.ready(kind, metadata.name);
        expect((await world.get(kind, metadata.name)).status?.['plan']).toBeUndefined();
      }
    }
  });

  it('say nothing in its manifest where they get none', async () => {
    await years(scene);
    expect((await scene.typed('export --to fleet --kinds cinst')).exit).toBe(0);
    expect(scene.manifests().map(({ spec }) => 'autoResizeDisk' in spec)).toEqual([false]);
  });
});
