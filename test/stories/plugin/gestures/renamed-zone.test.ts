import { beforeEach, expect, it } from 'vitest';
import type { Row } from '../../../../src/resource/index.ts';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import { changesSince, lastRequest } from '../../../support/world/gitops.ts';
import type { RunningOperator, World } from '../../../support/world/world.ts';

const minute = 60_000;
const names = ['apex', 'mail', 'www'];
const record = (name: string, zone: string): Row => ({ domainRef: { name: zone }, type: 'A', host: name, target: '192.0.2.1' });
const ofZone: Row = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' };

let world: World;
let operator: RunningOperator;
let seq: number;
const idOf = async (kind: string, name: string): Promise<number> => Number((await world.get(kind, name)).status?.['id']);
const why = async (what: string): Promise<string> => (await cloud(world, `why ${what}`, { limit: 10 * minute })).out;

/** A zone and its records, and all of them under other names, which ask for what the old ones have. */
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
  await world.apply('CloudDomain', 'old-example', ofZone);
  for (const name of names) await world.apply('CloudDomainRecord', name, record(name, 'old-example'));
  await world.clock.advance(5 * minute);
  seq = lastRequest(world);
  await world.apply('CloudDomain', 'legacy', { ...ofZone, adopt: { id: await idOf('CloudDomain', 'old-example') } });
});
async function renamed(name: string): Promise<void> {
  await world.apply('CloudDomainRecord', `${name}-2`, { ...record(name, 'legacy'), adopt: { id: await idOf('CloudDomainRecord', name) } });
}
async function handedOver(paths: readonly unknown[]): Promise<void> {
  for (const name of names) {
    await world.gone('CloudDomainRecord', name);
    await world.ready('CloudDomainRecord', `${name}-2`);
  }
  await world.ready('CloudDomain', 'legacy');
  expect(await Promise.all(names.map(async (name) => (await world.get('CloudDomainRecord', `${name}-2`)).status?.['path']))).toEqual(paths);
  expect(changesSince(world, seq).filter((call) => !/^POST \S+ 400 /.test(call))).toEqual([]);
}
const paths = (): Promise<readonly unknown[]> =>
  Promise.all(names.map(async (name) => (await world.get('CloudDomainRecord', name)).status?.['path']));
async function deleted(line: string): Promise<void> {
  const [, all = ''] = /^kubectl -n team-a delete (.*)$/.exec(line) ?? [];
  for (const one of all.split(' ')) {
    const [kind = '', name = ''] = one.split('/');
    await world.delete(kind === 'clouddomain' ? 'CloudDomain' : 'CloudDomainRecord', name);
  }
}

it('of a zone that another one asks for why tells the line that hands over its records, too', async () => {
  const before = await paths();
  for (const name of names) await renamed(name);
  await world.clock.advance(2 * minute);
  const out = await why('cdom/legacy');
  const line = 'kubectl -n team-a delete clouddomain/old-example clouddomainrecord/apex clouddomainrecord/mail clouddomainrecord/www';
  expect(out.split('\n').map((one) => one.trim())).toEqual(expect.arrayContaining([line, 'kubectl -n team-a delete clouddomain legacy']));
  expect(out).toContain('with the 3 objects that are in it and that others ask for');
  await deleted(line);
  await handedOver(before);
});

it('records that nothing asks for yet are named before their zone is handed over', async () => {
  await renamed('www');
  await world.clock.advance(2 * minute);
  const out = await why('cdom/legacy');
  expect(out).toContain('What to do: CloudDomainRecord team-a/apex, CloudDomainRecord team-a/mail name the other one for good');
  expect(out).toContain('  kubectl -n team-a delete clouddomain/old-example clouddomainrecord/www\n');
});

it('a record that is there already in the new zone, and does not ask, is named in place of telling to apply one', async () => {
  await world.apply('CloudDomainRecord', 'www-2', record('www', 'legacy'));
  await world.clock.advance(2 * minute);
  const id = await idOf('CloudDomainRecord', 'www');
  const says = `write spec.adopt: {id: ${id}} into CloudDomainRecord team-a/www-2, which is there and says the same as www`;
  expect(await why('cdom/legacy')).toContain(`before the other one is deleted, ${says}; apply each of the others under another name`);
  for (const name of ['apex', 'mail']) await renamed(name);
  await world.clock.advance(2 * minute);
  const out = await why('cdom/legacy');
  expect(out).toContain(`before the other one is deleted, ${says}, and look again.`);
  expect(out).not.toContain('under another name');
});

it('of a record whose zone went first, and that is there under another name already, why names that, and the line that hands it over', async () => {
  const before = await paths();
  await world.delete('CloudDomain', 'old-example');
  await world.clock.advance(5 * minute);
  expect(await why('crec/www')).toContain('get clouddomainrecord www -o yaml');
  const applyIt = 'To keep this, too: apply it under another name with spec.domainRef: {name: legacy} and spec.adopt: {id: ';
  const operatorSays = async (name: string) => (await world.condition('CloudDomainRecord', name, 'Synced'))?.message;
  expect(await operatorSays('www')).toContain(applyIt);
  await world.apply('CloudDomainRecord', 'mail-2', record('mail', 'legacy'));
  await world.clock.advance(5 * minute);
  expect(await operatorSays('mail')).toContain(
    `To keep this, too: write spec.adopt: {id: ${await idOf('CloudDomainRecord', 'mail')}} into CloudDomainRecord mail-2, which is there and says the same, and delete this object only then`,
  );
  for (const name of names) await renamed(name);
  await world.clock.advance(5 * minute);
  for (const name of names) {
    const says = await operatorSays(name);
    expect(says).toContain(`To keep this, too: CloudDomainRecord ${name}-2 asks for it with spec.adopt; delete this object as soon as`);
    expect(says).not.toContain('under another name');
    const out = await why(`crec/${name}`);
    expect(out).toContain(`CloudDomainRecord team-a/${name}-2 asks for what this object has`);
    expect(out).toMatch(new RegExp(`^ {2}kubectl -n team-a delete clouddomainrecord ${name}$`, 'm'));
    expect(out).not.toContain('-o yaml');
    await world.delete('CloudDomainRecord', name);
  }
  await world.clock.advance(10 * minute);
  await handedOver(before);
});

const old = (name: string): string => `kubectl -n team-a delete clouddomainrecord ${name}`;
it('of a record whose zone went first why names the one that is there already, also before that is looked at, and where it does not ask', async () => {
  const before = await paths();
  await world.delete('CloudDomain', 'old-example');
  await world.clock.advance(5 * minute);
  operator.kill();
  await renamed('www');
  const young = await why('crec/www');
  expect(young).toContain(
    'CloudDomainRecord team-a/www-2 is there and is to have what this object has (spec.adopt), but no operator has looked at it yet.',
  );
  expect(young).toContain('  kubectl cloud why -n team-a crec/www-2\n');
  expect(young).not.toContain('-o yaml');
  expect(young).not.toContain(old('www'));

  await world.start();
  await world.apply('CloudDomainRecord', 'mail-2', record('mail', 'legacy'));
  await world.clock.advance(5 * minute);
  const silent = await why('crec/mail');
  expect(silent).toContain('CloudDomainRecord team-a/mail-2 is there and wants the same, but does not ask for what this object has.');
  const adopt = { id: await idOf('CloudDomainRecord', 'mail') };
  const patch = `kubectl -n team-a patch clouddomainrecord mail-2 --type=merge -p '${JSON.stringify({ spec: { adopt } })}'`;
  expect(silent).toContain(`  ${patch}\n  ${old('mail')}\n`);
  await world.patch('CloudDomainRecord', 'mail-2', { spec: { adopt } });
  await renamed('apex');
  await world.clock.advance(5 * minute);
  for (const name of names) {
    expect(await why(`crec/${name}`)).toContain(`  ${old(name)}\n`);
    await world.delete('CloudDomainRecord', name);
  }
  await world.clock.advance(10 * minute);
  await handedOver(before);
});
