import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const spec = { name: 'Ops on call', email: 'oncall@example.org', phone: { primary: '555-0100' }, group: 'on-call' };
const kind = 'CloudManagedContact';
const hour = 3_600_000;

let world: World;
beforeEach(async () => {
  world = await World.create();
});
async function begin(token?: string): Promise<CloudUser> {
  await world.account({}, 'team-a', token);
  await world.start();
  await world.ready('CloudAccount', 'default');
  return new CloudUser(world);
}
interface Contact {
  readonly id: number;
  readonly name: string;
  readonly group: string | null;
}
const contacts = (): readonly Contact[] => world.emulator.control.rows('managed contacts') as never;
const names = (): readonly string[] => contacts().map(({ name }) => name);
const sent = (methods: string): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ username, path, method }) => username !== 'colleague' && path.startsWith('/managed/') && methods.includes(method))
    .map(({ method, path }) => `${method} ${path}`);
const spoil = (kind: 'lose-request' | 'lose-answer'): number =>
  world.emulator.control.addFault({ match: { method: 'POST', path: '/managed/contacts' }, times: 1, effect: { kind } });
const gesture = (value: string): Promise<unknown> =>
  world.patch(kind, 'ops', { metadata: { annotations: { 'cloudhosting.dev/recreate': value } } });

describe('a managed contact', () => {
  it('is put right when somebody changes it, although no event tells', async () => {
    const colleague = await begin();
    await world.apply(kind, 'ops', spec);
    const { status } = await world.ready(kind, 'ops');
    expect(status).toMatchObject({ name: 'Ops on call', email: 'oncall@example.org', group: 'on-call' });
    await colleague.put(`/managed/contacts/${String(status?.['id'])}`, { group: 'day', phone: { secondary: '555-0199' } });
    await world.clock.runUntil(() => Promise.resolve(contacts()[0]?.group === 'on-call'), 400_000);
    expect(contacts()).toMatchObject([{ phone: { primary: '555-0100', secondary: '555-0199' } }]);
    await world.delete(kind, 'ops');
    await world.gone(kind, 'ops');
    expect(contacts()).toEqual([]);
  });
  it('is neither made nor taken where one of its name and address is there', async () => {
    const colleague = await begin();
    const { id } = await colleague.post('/managed/contacts', { ...spec, email: 'OnCall@example.org' });
    await world.apply(kind, 'ops', spec);
    const { message } = await world.reason(kind, 'ops', 'AlreadyExists');
    expect(message).toContain(`spec.adopt: {id: ${String(id)}}`);
    expect(sent('POST PUT DELETE')).toEqual([]);
  });
});

describe('after a create without an answer', () => {
  it('the one that was made is for a person to name, because nothing tells who made it', async () => {
    await begin();
    spoil('lose-answer');
    await world.apply(kind, 'ops', spec);
    const { message } = await world.reason(kind, 'ops', 'Ambiguous');
    const [{ id = 0 } = {}] = contacts() as readonly Partial<Contact>[];
    expect(message).toContain(`/managed/contacts/${id}`);
    expect(message).toContain('nothing in the account tells who made it');
    await world.clock.advance(2 * hour);
    expect(sent('POST PUT DELETE')).toEqual(['POST /managed/contacts']);
    await world.apply(kind, 'ops', { ...spec, adopt: { id } });
    expect((await world.ready(kind, 'ops')).status).toMatchObject({ id: String(id), origin: 'Adopted', policy: 'Retain' });
  });
  it("a colleague's is left alone, and one of another name is made when a person says so", async () => {
    const colleague = await begin();
    spoil('lose-request');
    await world.apply(kind, 'ops', spec);
    await world.clock.advance(5000);
    const theirs = await colleague.post('/managed/contacts', spec);
    await world.reason(kind, 'ops', 'Ambiguous');
    await world.apply(kind, 'ops', { ...spec, name: 'Ops at night' });
    await world.clock.advance(2 * hour);
    expect(names()).toEqual(['Ops on call']);
    await gesture('theirs');
    await world.ready(kind, 'ops');
    expect(names()).toEqual(['Ops on call', 'Ops at night']);
    await world.delete(kind, 'ops');
    await world.gone(kind, 'ops');
    expect(await colleague.list('/managed/contacts')).toEqual([theirs]);
  });
  it('a gesture counts for one doubt, not for the next', async () => {
    const colleague = await begin();
    spoil('lose-request');
    await world.apply(kind, 'ops', spec);
    await world.clock.advance(5000);
    await colleague.post('/managed/contacts', spec);
    await world.reason(kind, 'ops', 'Ambiguous');
    spoil('lose-answer');
    await world.apply(kind, 'ops', { ...spec, name: 'Ops at night' });
    await gesture('theirs');
    await world.clock.runUntil(() => Promise.resolve(contacts().length === 2), hour);
    await world.clock.advance(2 * hour);
    expect((await world.condition(kind, 'ops', 'Stalled'))?.reason).toBe('Ambiguous');
    expect(names()).toEqual(['Ops on call', 'Ops at night']);
  });
  it('its object stays until a person has said whose it is, also when it is deleted', async () => {
    const colleague = await begin();
    spoil('lose-answer');
    await world.apply(kind, 'ops', spec);
    await world.reason(kind, 'ops', 'UnknownOutcome');
    await world.delete(kind, 'ops');
    const { message } = await world.reason(kind, 'ops', 'Ambiguous');
    expect(message).toContain('delete it in the account');
    await world.clock.advance(2 * hour);
    expect([contacts().length, sent('DELETE')]).toEqual([1, []]);
    await colleague.delete(`/managed/contacts/${contacts()[0]?.id}`);
    await world.gone(kind, 'ops', 2 * hour);
  });
  it("its object goes alone when a person says that it is somebody else's, or that what it made may stay", async () => {
    await begin();
    for (const [name, lifecycle] of [
      ['ops', {}],
      ['kept', { onDelete: 'Retain' }],
    ] as const) {
      spoil('lose-answer');
      await world.apply(kind, name, { ...spec, name, lifecycle });
      await world.reason(kind, name, 'Ambiguous');
      await world.delete(kind, name);
    }
    await world.gone(kind, 'kept', 2 * hour);
    expect(await world.find(kind, 'ops')).toBeDefined();
    await gesture('theirs');
    await world.gone(kind, 'ops');
    expect(names()).toEqual(['ops', 'kept']);
  });
});

describe('who may have it', () => {
  it('is told so before the first call where its user is restricted, and has it with the token of another', async () => {
    await begin('token-limited');
    await world.apply(kind, 'ops', spec);
    const { message } = await world.reason(kind, 'ops', 'Forbidden');
    expect(message).toContain('CloudManagedContact is for unrestricted users alone');
    await world.clock.advance(2 * hour);
    expect(sent('GET POST PUT DELETE')).toEqual([]);
    const data = { token: Buffer.from('token-admin').toString('base64') };
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data });
    await world.ready(kind, 'ops', 120_000);
  });
  it('without Managed nothing is sent that changes anything, and it is said what must be bought', async () => {
    const colleague = await begin();
    world.emulator.control.setKnobs({ managedMustBeEnabled: true });
    await world.apply(kind, 'ops', spec);
    const { message } = await world.reason(kind, 'ops', 'Forbidden');
    expect(message).toContain('the account needs Managed, which is bought from the provider');
    expect(sent('POST')).toEqual([]);
    await colleague.post('/account/settings/managed-enable');
    await world.ready(kind, 'ops', 2 * hour);
  });
  it('is the namespace of the account alone, whatever it admits', async () => {
    await world.account({ access: [{ namespaces: ['shop'], kinds: [kind], adopt: 'Any' }] });
    await world.start();
    await world.namespace('shop');
    await world.apply(kind, 'ops', { ...spec, accountRef: { name: 'default', namespace: 'team-a' } }, 'shop');
    await world.clock.advance(hour);
    expect((await world.condition(kind, 'ops', 'Ready', 'shop'))?.status).toBe('False');
    expect(sent('GET POST PUT DELETE')).toEqual([]);
  });
});
