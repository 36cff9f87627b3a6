import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
});
const place = { region: 'eu-central' };
const machine = { ...place, type: 'g6-nanode-1' };

const stuck = (field: string): string =>
  `Nothing on it tells of anything that was made for it, and spec.${field} cannot be changed in this object: to correct it, delete the object and apply the corrected one`;

describe('what does not resolve', () => {
  beforeEach(async () => {
    await world.account();
    await world.start();
    await world.ready('CloudAccount', 'default');
  });
  it('names the Secret that is not there, and the key that a Secret lacks', async () => {
    const spec = { ...machine, image: 'vm/debian11', rootPasswordSecretRef: { name: 'web-root', key: 'password' } };
    await world.apply('CloudInstance', 'web', spec);
    const none = await world.reason('CloudInstance', 'web', 'ReferenceNotReady');
    expect(none.message).toBe(
      `spec.rootPasswordSecretRef: Secret web-root is not found in namespace team-a. Create it with key password, or correct the name`,
    );
    await world.secret('web-root', { pass: 'Canary-Horse-9-Battery' });
    await world.clock.advance(300_000);
    expect((await world.condition('CloudInstance', 'web', 'Synced'))?.message).toBe(
      `spec.rootPasswordSecretRef: Secret web-root has no key password. Add the key to the Secret, or correct it in the spec`,
    );
  });
  it('tells of a token in the same way', async () => {
    await world.apply('CloudAccount', 'other', { endpoint: 'main', tokenSecretRef: { name: 'other', key: 'token' } });
    const none = await world.reason('CloudAccount', 'other', 'AccountNotReady');
    expect(none.message).toBe(
      'spec.tokenSecretRef: Secret other is not found in namespace team-a. Create it with a personal access token under key token',
    );
    await world.secret('other', { text: 'x' });
    await world.clock.advance(60_000);
    expect((await world.condition('CloudAccount', 'other', 'Synced'))?.message).toContain('Secret other has no key token');
  });
  it('speaks of allowedRefs only where the target has it', async () => {
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' } });
    const instance = await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
    expect(instance.message).toBe('spec.instanceRef: CloudInstance web is not found. Create it, or correct the name');
    const record = { domainRef: { name: 'zone', namespace: 'team-b' }, type: 'A', target: '192.0.2.1' };
    await world.apply('CloudDomainRecord', 'www', record);
    const domain = await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady');
    expect(domain.message).toBe(
      `spec.domainRef: CloudDomain team-b/zone is not found, or does not admit namespace team-a. Create it, correct the name, or add team-a to its spec.allowedRefs.namespaces. ${stuck('domainRef')}`,
    );
  });
  it('says that an address can only come from an object', async () => {
    const targetFrom = { instanceRef: { external: 1002 }, address: 'PublicIPv4' };
    const record = { domainRef: { name: 'zone' }, type: 'A', targetFrom };
    await expect(world.apply('CloudDomainRecord', 'www', record)).rejects.toThrow('only a CloudInstance object publishes it: write name');
  });
});

const copyOf = (name: string) => ({ ...place, volumeRef: { name } });
const stalled = async (name: string): Promise<string> => {
  const { message } = await world.reason('CloudVolume', name, 'InvalidSpec', 60_000);
  expect(await world.condition('CloudVolume', name, 'Stalled')).toMatchObject({ status: 'True' });
  return message;
};

describe('references in a circle', () => {
  beforeEach(async () => {
    await world.account();
    await world.start();
    await world.ready('CloudAccount', 'default');
  });
  it('to itself are refused', async () => {
    await world.apply('CloudVolume', 'a', copyOf('a'));
    expect(await stalled('a')).toBe(
      'spec.volumeRef refers in a circle: CloudVolume a -> CloudVolume a. None of these can be made first: take the reference out of one of them; where that field cannot be changed, delete that object and make it anew without it',
    );
  });
  it('over others are refused on each, and go on when one lets go', async () => {
    for (const [name, of] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ] as const)
      await world.apply('CloudVolume', name, copyOf(of));
    expect(await stalled('b')).toContain('CloudVolume b -> CloudVolume c -> CloudVolume a -> CloudVolume b');
    expect(await stalled('a')).toContain('CloudVolume a -> CloudVolume b -> CloudVolume c -> CloudVolume a');
    await world.delete('CloudVolume', 'c');
    await world.gone('CloudVolume', 'c');
    await world.apply('CloudVolume', 'c', place);
    for (const name of ['c', 'b', 'a']) await world.ready('CloudVolume', name);
  });
  it('that somebody else makes are no fault of who waits for them', async () => {
    await world.apply('CloudVolume', 'a', copyOf('a'));
    await world.apply('CloudVolume', 'outside', copyOf('a'));
    const { message } = await world.reason('CloudVolume', 'outside', 'ReferenceNotReady');
    expect(message).toContain('CloudVolume a has no id yet');
  });
});

describe('an account that does not let an object in', () => {
  it('reads like one that is not there, and both name access', async () => {
    await world.account({ access: [{ namespaces: ['team-c'] }] });
    await world.namespace('team-b');
    await world.start();
    await world.ready('CloudAccount', 'default');
    for (const name of ['default', 'nowhere'])
      await world.apply('CloudVolume', name, { ...place, accountRef: { name, namespace: 'team-a' } }, 'team-b');
    for (const name of ['default', 'nowhere']) {
      const { message } = await world.reason('CloudVolume', name, 'AccountNotReady', 60_000, 'team-b');
      expect(message).toContain(
        `CloudAccount team-a/${name} is not found, or its spec.access does not admit kind CloudVolume from namespace team-b`,
      );
      expect(message).toContain('delete this object, and apply it with another spec.accountRef');
    }
    await world.apply('CloudVolume', 'own', place, 'team-b');
    const own = await world.reason('CloudVolume', 'own', 'AccountNotReady', 60_000, 'team-b');
    expect(own.message).toContain('CloudAccount team-b/default is not found');
    expect(own.message).not.toContain('access');
  });
  it('says of a kind of the account itself that no entry of access admits it', async () => {
    await world.account({ access: [{ namespaces: ['team-b'], kinds: ['CloudTag'], adopt: 'Any' }] });
    await world.namespace('team-b');
    await world.start();
    await world.ready('CloudAccount', 'default');
    for (const name of ['default', 'nowhere'])
      await world.apply('CloudTag', name, { label: name, accountRef: { name, namespace: 'team-a' } }, 'team-b');
    for (const name of ['default', 'nowhere']) {
      const { message } = await world.reason('CloudTag', name, 'AccountNotReady', 60_000, 'team-b');
      expect(message).toContain(
        `a CloudTag is of the whole account, so only namespace team-a, of CloudAccount team-a/${name}, may have one, whatever spec.access names`,
      );
      expect(message).toContain('Apply it there');
      expect(message).not.toContain('does not admit');
    }
  });
  it.each(['made', 'never made'])('is not told to be changed in an object for which something was %s', async (how) => {
    await world.namespace('team-b');
    await world.account({ access: [{ namespaces: ['team-b'] }] });
    await world.start();
    const spec = { ...place, accountRef: { name: 'default', namespace: 'team-a' } };
    await world.apply('CloudVolume', 'data', how === 'made' ? spec : { ...spec, accountRef: { name: 'other' } }, 'team-b');
    if (how === 'made') await world.ready('CloudVolume', 'data', undefined, 'team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [] } });
    const { message } = await world.reason('CloudVolume', 'data', 'AccountNotReady', 900_000, 'team-b');
    const other = { spec: { accountRef: { name: 'third' } } };
    await expect(world.patch('CloudVolume', 'data', other, 'team-b')).rejects.toThrow('accountRef cannot be changed');
    expect(message).not.toMatch(/[Cc]orrect spec\.accountRef|name another in spec\.accountRef/);
    // To delete it is no way out for what was made: that needs this very account.
    expect(message.includes('delete this object, and apply it with another spec.accountRef')).toBe(how === 'never made');
    if (how === 'made') return;
    await world.delete('CloudVolume', 'data', 'team-b');
    await world.gone('CloudVolume', 'data', 60_000, 'team-b');
    await world.apply('CloudVolume', 'data', spec, 'team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'] }] } });
    await world.ready('CloudVolume', 'data', undefined, 'team-b');
  });
});

describe('what the API refused', () => {
  beforeEach(async () => {
    await world.account();
    await world.start();
    await world.ready('CloudAccount', 'default');
  });
  it('is told in the words of the spec: a threshold', async () => {
    await world.apply('CloudInstance', 'web', { ...machine, alerts: { transferQuotaPercent: 401 } });
    const { message } = await world.reason('CloudInstance', 'web', 'Rejected');
    expect(message).toContain('spec.alerts.transferQuotaPercent');
    expect(message).not.toContain('transfer_quota');
  });
  it('power without anything to boot', async () => {
    await world.apply('CloudInstance', 'web', { ...machine, power: 'On' });
    const { message } = await world.reason('CloudInstance', 'web', 'Rejected');
    expect(message).toContain('spec.power: the instance has nothing to boot, several configurations of which none was booted yet');
    expect(message).toContain('set image');
    expect(message).not.toContain('config_id');
  });
  it('an instance that is behind another firewall', async () => {
    await world.apply('CloudInstance', 'web', machine);
    await world.ready('CloudInstance', 'web');
    const firewall = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'web' }] };
    await world.apply('CloudFirewall', 'first', firewall);
    await world.ready('CloudFirewall', 'first');
    await world.apply('CloudFirewall', 'second', firewall);
    const { message } = await world.reason('CloudFirewall', 'second', 'Rejected');
    expect(message).toContain('spec.instanceRefs: ');
    expect(message).toContain('an instance is behind another enabled firewall already');
    expect(message).not.toContain('Raise the limit');
  });
});

it('objects of a held deletion say the same, and the account counts them', async () => {
  await world.account();
  await world.start();
  const names = Array.from({ length: 14 }, (_, n) => `v${n}`);
  for (const name of names) await world.apply('CloudVolume', name, { ...place, lifecycle: { onDelete: 'Delete' } });
  for (const name of names) await world.ready('CloudVolume', name);
  for (const name of names) {
    await world.delete('CloudVolume', name);
    await world.clock.advance(1000);
  }
  await world.clock.advance(60_000);
  const said = await Promise.all(names.map(async (name) => (await world.condition('CloudVolume', name, 'Synced'))?.message));
  const held = said.filter((text) => text?.includes('deleted at once') === true);
  expect(held.length).toBeGreaterThan(1);
  expect(new Set(held).size).toBe(1);
  expect(held[0]).toContain("kubectl -n team-a get cloudaccount default -o jsonpath='{.status.held[*].message}'");
});
