import { beforeEach, describe, expect, it } from 'vitest';
import type { ExportData } from '../../../../src/plugin/output/account-shapes.ts';
import type { RunningOperator, World } from '../../../support/world/world.ts';
import { AccountScene, minute } from '../../../support/plugin/account-scene.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { dataOf } from '../../../support/plugin/cloud-cli.ts';

let scene: AccountScene;
let world: World;
let operator: RunningOperator;
let zone: string;
let volume: string;
beforeEach(async () => {
  scene = await AccountScene.create();
  ({ world } = scene);
  volume = `/volumes/${String((await scene.volume('data'))['id'])}`;
  const { id } = await scene.as('POST', '/domains', { domain: 'shop.example', type: 'master', soa_email: 'a@shop.example' });
  zone = `/domains/${String(id)}`;
  for (const name of ['www', 'mail', 'api']) await scene.as('POST', `${zone}/records`, { type: 'A', name, target: '192.0.2.1' });
});
/** As it is exported, with what its manifests are given besides; all is well then. */
async function exported(promoted: boolean): Promise<void> {
  await scene.typed('export --to fleet');
  if (promoted) await scene.typed('export --promote fleet');
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
  for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, metadata.name, spec);
  await world.clock.advance(2 * minute);
  expect((await scene.typed('export --check fleet')).exit).toBe(0);
}
const unproven = async (): Promise<Record<string, string>> => {
  const { unproven: all } = dataOf(await scene.typed('export --check fleet -o json')) as unknown as ExportData;
  return Object.fromEntries(all.map(({ kind, id, why }) => [`${kind} ${id}`, why]));
};

describe.each([false, true])('export --check of what is gone from the account (promoted: %s)', (promoted) => {
  beforeEach(async () => {
    await exported(promoted);
    for (const path of [volume, zone]) await new CloudUser(world).delete(path);
    for (const [kind, name] of [
      ['CloudVolume', 'data'],
      ['CloudDomain', 'shop-example'],
    ] as const)
      await world.reason(kind, name, 'RemoteMissing', 60 * minute);
    await world.clock.advance(5 * minute);
  });
  it('says so as status does, and that its records went with a zone once', async () => {
    const { exit, out } = await scene.typed('export --check fleet');
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(
        /^CloudDomain team-a\/shop-example differs: \/domains\/\d+ is gone from the account \(domain_delete by colleague at [^)]+\): kubectl cloud why -n team-a cdom\/shop-example\n3 manifests differ: gone with CloudDomain team-a\/shop-example: CloudDomainRecord team-a\/www-a, mail-a, api-a\nCloudVolume team-a\/data differs: \/volumes\/\d+ is gone from the account \(volume_delete by colleague at [^)]+\): kubectl cloud why -n team-a cvol\/data\n5 of 5 manifests in fleet differ from the account\.\n$/,
      ),
    ]);
    expect(out).not.toContain('at the moment');
  });
  it('gives a script each of them', async () => {
    expect((await unproven())['CloudDomainRecord team-a/www-a']).toBe('gone with CloudDomain team-a/shop-example');
  });
});

describe('export --check of what the account refuses', () => {
  beforeEach(async () => {
    await exported(true);
    const body = JSON.stringify({ errors: [{ reason: 'is not allowed' }] });
    world.emulator.control.addFault({ match: { method: 'PUT', path: volume }, effect: { kind: 'answer', status: 400, body } });
    await scene.as('PUT', volume, { label: 'theirs' });
    await world.reason('CloudVolume', 'data', 'Rejected', 60 * minute);
  });
  it('says that the operator cannot set it, and where to read why', async () => {
    expect(await unproven()).toEqual({
      'CloudVolume team-a/data':
        'spec.label: wrote data, the account has theirs; its status says Rejected: kubectl cloud why -n team-a cvol/data',
    });
  });
  it('and where the account has been put right since tells that status says something else', async () => {
    operator.kill();
    world.emulator.control.clearFaults();
    await scene.as('PUT', volume, { label: 'data' });
    const { exit, err } = await scene.typed('export --check fleet');
    expect([exit, err]).toEqual([
      0,
      expect.stringContaining(
        'CloudVolume team-a/data is as the account has it, and its status says Rejected all the same: kubectl cloud why -n team-a cvol/data\n',
      ),
    ]);
  });
});
