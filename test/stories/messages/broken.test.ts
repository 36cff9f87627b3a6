import { beforeEach, describe, expect, it } from 'vitest';
import { describeObject } from '../../support/world/describe.ts';
import { serveOlderCrd } from '../../support/world/served-crd.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
});
async function begin(spec: Record<string, unknown> = {}, token?: string): Promise<void> {
  await world.account(spec, 'team-a', token);
  await world.start();
  await world.ready('CloudAccount', 'default');
}
/** All of these, in conditions or Events: what is wrong, and what to do. */
async function tells(kind: string, name: string, ...words: readonly (string | RegExp)[]): Promise<void> {
  const text = await describeObject(world, kind, name);
  for (const word of words) expect(text).toMatch(word);
}
const volume = { region: 'eu-central', lifecycle: { onDelete: 'Delete' } };
const answer = (path: string, status: number, reason: string): number =>
  world.emulator.control.addFault({
    match: { method: 'POST', path },
    effect: { kind: 'answer', status, body: JSON.stringify({ errors: [{ reason }] }) },
  });

describe('kubectl describe alone tells what is wrong and what to do:', () => {
  it('wrong token', async () => {
    await world.account({}, 'team-a', 'token-of-nobody');
    await world.start();
    await world.apply('CloudVolume', 'data', volume);
    await world.reason('CloudAccount', 'default', 'Unauthorized');
    await world.reason('CloudVolume', 'data', 'AccountNotReady');
    await tells('CloudAccount', 'default', 'Put a valid token into key token of Secret team-a/cloud-token');
    await tells('CloudVolume', 'data', 'CloudAccount team-a/default is not connected; its own conditions say why');
  });
  it('restricted user', async () => {
    await begin({}, 'token-limited');
    await world.apply('CloudFirewall', 'wall', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
    await world.reason('CloudFirewall', 'wall', 'Forbidden');
    await tells(
      'CloudFirewall',
      'wall',
      'The token needs the scope firewall:read_write, and a restricted user needs a grant',
      'status.restricted',
    );
  });
  it('foreign bucket', async () => {
    await begin();
    const body = { label: 'shop-assets', cluster: 'eu-central-1' };
    await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: '/v4/object-storage/buckets', body });
    await world.apply('CloudBucket', 'assets', { label: 'shop-assets', cluster: 'eu-central-1' });
    await world.reason('CloudBucket', 'assets', 'AlreadyExists');
    await tells('CloudBucket', 'assets', 'nothing shows that it was made for this object', 'spec.adopt: {id: "eu-central-1/shop-assets"}');
  });
  it('missing CRD field', async () => {
    await serveOlderCrd(world, 'CloudVolume');
    await world.account();
    await world.start();
    await world.reason('CloudAccount', 'default', 'CRDMismatch');
    await tells('CloudAccount', 'default', 'CloudVolume', 'Apply the CRDs of its version');
  });
  it('held deletion', async () => {
    await begin();
    const all = Array.from({ length: 12 }, (_, n) => `v${n}`);
    for (const name of all) await world.apply('CloudVolume', name, volume);
    for (const name of all) await world.ready('CloudVolume', name);
    for (const name of all) await world.delete('CloudVolume', name);
    await world.reason('CloudVolume', 'v11', 'DeletionHeld');
    await tells(
      'CloudVolume',
      'v11',
      /are being deleted at once/,
      /kubectl -n team-a get cloudaccount default -o jsonpath='\{.status.held\[\*\].message\}'/,
    );
    await world.clock.advance(60_000);
    expect((await world.get('CloudAccount', 'default')).status?.['held']).toMatchObject([
      {
        message: expect.stringMatching(
          /^12 of 12 .*kubectl -n team-a annotate cloudaccount default --overwrite cloudhosting.dev\/release=/,
        ) as string,
      },
    ]);
  });
  it('contested field', async () => {
    await begin();
    await world.apply('CloudVolume', 'data', { ...volume, tags: ['prod'] });
    const path = String((await world.ready('CloudVolume', 'data')).status?.['path']);
    for (let round = 0; round < 4; round += 1) {
      await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4${path}`, body: { tags: ['theirs'] } });
      await world.clock.advance(60_000);
    }
    await world.reason('CloudVolume', 'data', 'Contested');
    await tells(
      'CloudVolume',
      'data',
      'The last to write was likely colleague',
      'Stop the other writer, or put "tags" into spec.lifecycle.ignoreFields',
    );
  });
  it('unreachable API', async () => {
    await begin();
    world.emulator.control.addFault({ match: {}, effect: { kind: 'lose-request' } });
    await world.apply('CloudVolume', 'data', volume);
    await world.reason('CloudAccount', 'default', 'Unreachable');
    await world.reason('CloudVolume', 'data', 'Unreachable');
    await tells('CloudAccount', 'default', 'the API does not answer', 'It is tried again by itself');
    await tells('CloudVolume', 'data', 'Nothing was changed; it is tried again by itself');
  });
  it('quota', async () => {
    await begin();
    answer('/volumes', 400, 'Account Limit reached. Please open a support ticket.');
    await world.apply('CloudVolume', 'data', volume);
    await world.reason('CloudVolume', 'data', 'QuotaExceeded');
    await tells('CloudVolume', 'data', 'Account Limit reached', 'Raise the limit with the provider or delete something');
  });
  it('stale reference', async () => {
    await begin();
    await world.apply('CloudVolume', 'data', { ...volume, region: undefined, instanceRef: { name: 'wbe' } });
    await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
    await tells('CloudVolume', 'data', 'spec.instanceRef: CloudInstance wbe', 'Create it');
  });
  it('wrong region', async () => {
    await begin();
    await world.clock.advance(5000);
    await world.apply('CloudVolume', 'data', { ...volume, region: 'eu-centrl' });
    await world.reason('CloudVolume', 'data', 'InvalidSpec');
    await tells('CloudVolume', 'data', 'spec.region', 'eu-central');
  });
});
