import { expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { exported, restore } from '../../support/world/gitops.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const kind = 'CloudSupportTicket';
const spec = { summary: 'Additional IPv4 for mail', description: 'We need one more public address for SMTP.' };
const hour = 3_600_000;

interface Ticket {
  readonly id: number;
  readonly status: string;
}
const tickets = (world: World): readonly Ticket[] => world.emulator.control.rows('tickets') as never;
const opened = (world: World): number => tickets(world).length;
const recreate = (world: World, name: string): Promise<unknown> =>
  world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/recreate': 'today' } } });

async function begin(): Promise<{ readonly world: World; readonly operator: RunningOperator }> {
  const world = await World.create();
  await world.account();
  return { world, operator: await world.start() };
}
async function closed(more: object = {}): Promise<Awaited<ReturnType<typeof begin>>> {
  const begun = await begin();
  await begun.world.apply(kind, 'mail', { ...spec, closed: true, ...more });
  await begun.world.clock.runUntil(() => Promise.resolve(tickets(begun.world)[0]?.status === 'closed'), hour);
  await begun.world.ready(kind, 'mail');
  return begun;
}
/** The cluster with nothing but what Git has. */
async function rebuilt(
  old: World,
  { withKey = false, ...account }: { readonly withKey?: boolean; readonly recover?: boolean } = {},
): Promise<World> {
  const objects = exported(old);
  const key = await old.admin('GET', '/api/v1/namespaces/cloud-operator/secrets/cloud-operator-key');
  const world = await World.create({ beside: old });
  if (withKey)
    await world.admin('POST', '/api/v1/namespaces/cloud-operator/secrets', {
      ...key,
      metadata: { name: 'cloud-operator-key', namespace: 'cloud-operator' },
    });
  await world.account(account);
  await restore(world, objects);
  await world.start();
  return world;
}

it.each([[true], [false]])(
  'a ticket that is closed is not opened a second time by a cluster that is rebuilt from Git (key kept: %s)',
  async (withKey) => {
    const { world: old, operator } = await closed();
    operator.kill();
    const world = await rebuilt(old, { withKey });
    const { message } = await world.reason(kind, 'mail', 'AlreadyExists');
    await world.clock.advance(hour);
    expect(opened(world)).toBe(1);
    expect(message).toContain(`spec.adopt: {id: ${tickets(world)[0]?.id}}`);
    expect(message).toContain('cloudhosting.dev/recreate');
    await world.patch(kind, 'mail', { spec: { adopt: { id: tickets(world)[0]?.id } } });
    await world.ready(kind, 'mail');
    expect(opened(world)).toBe(1);
  },
);

it('one that somebody else opened is adopted, or left for one of another summary: it can be neither renamed nor deleted', async () => {
  const { world } = await begin();
  await new CloudUser(world).post('/support/tickets', spec);
  await world.apply(kind, 'mail', spec);
  const { message } = await world.reason(kind, 'mail', 'AlreadyExists');
  expect(message).toContain(`write spec.adopt: {id: ${tickets(world)[0]?.id}}`);
  expect(message).toContain('else delete this object, and make one with another spec.summary or spec.description');
  expect(message).not.toMatch(/rename or delete|delete it there/);
  await world.delete(kind, 'mail');
  await world.gone(kind, 'mail');
  await world.apply(kind, 'mail', { ...spec, summary: 'One more address for mail' });
  await world.ready(kind, 'mail');
  expect(opened(world)).toBe(2);
  await world.apply(kind, 'theirs', { ...spec, adopt: { id: tickets(world)[0]?.id } });
  await world.ready(kind, 'theirs');
  expect(opened(world)).toBe(2);
});

it('recover finds it again', async () => {
  const { world: old, operator } = await closed();
  operator.kill();
  const world = await rebuilt(old, { recover: true });
  expect((await world.ready(kind, 'mail')).status).toMatchObject({ id: String(tickets(world)[0]?.id), closed: true });
  expect(opened(world)).toBe(1);
});

it('a person may have another one opened', async () => {
  const { world: old, operator } = await closed();
  operator.kill();
  const world = await rebuilt(old);
  await world.reason(kind, 'mail', 'AlreadyExists');
  await recreate(world, 'mail');
  await world.ready(kind, 'mail');
  await world.clock.advance(hour);
  expect(opened(world)).toBe(2);
});

it('what the deletion of an object closes may be opened again, under its name or another', async () => {
  const { world } = await begin();
  for (const name of ['mail', 'mail', 'mail-again']) {
    await world.apply(kind, name, spec);
    await world.ready(kind, name);
    await world.delete(kind, name);
    await world.gone(kind, name);
  }
  expect(tickets(world).map(({ status }) => status)).toEqual(['closed', 'closed', 'closed']);
});

it('what was closed before its object went is not opened again for a new name, before a person asks for it', async () => {
  const { world } = await closed();
  await world.apply(kind, 'post', spec);
  expect((await world.reason(kind, 'post', 'AlreadyClaimed')).message).toContain('CloudSupportTicket team-a/mail');
  await world.delete(kind, 'mail');
  await world.gone(kind, 'mail');
  await world.reason(kind, 'post', 'AlreadyExists');
  await world.clock.advance(hour);
  expect(opened(world)).toBe(1);
  await recreate(world, 'post');
  await world.ready(kind, 'post');
  expect(opened(world)).toBe(2);
});

it('a restart between the close of a ticket and the opening of the one in its place asks nobody, and opens one', async () => {
  const { world, operator } = await begin();
  const lifecycle = { replace: 'Allow', approve: ['InPlace', 'Replace'] };
  await world.apply(kind, 'mail', { ...spec, lifecycle });
  await world.ready(kind, 'mail');
  await world.patch(kind, 'mail', { spec: { summary: 'Two more IPv4 for mail' } });
  await world.clock.runUntil(() => Promise.resolve(tickets(world)[0]?.status === 'closed'), hour);
  operator.kill();
  expect(opened(world)).toBe(1);
  await world.clock.advance(hour);
  await world.start();
  await world.ready(kind, 'mail');
  await world.clock.advance(hour);
  expect(tickets(world).map(({ status }) => status)).toEqual(['closed', 'new']);
});

it('what is closed is never offered to be deleted and opened anew', async () => {
  const { world } = await begin();
  const { id } = (await new CloudUser(world).post('/support/tickets', spec)) as { id: number };
  await world.apply(kind, 'mail', { ...spec, summary: 'Another summary', adopt: { id: String(id) } });
  await world.reason(kind, 'mail', 'ImmutableField');
  const why = async (): Promise<string> => (await cloud(world, 'why ctick/mail')).out;
  expect(await why()).toContain('or set spec.lifecycle.replace: Allow and approve Replace to have it deleted and made anew');
  await new CloudUser(world).post(`/support/tickets/${String(id)}/close`, {});
  await world.clock.advance(hour);
  await world.reason(kind, 'mail', 'ImmutableField');
  const out = await why();
  expect(out).toContain('or make another CloudSupportTicket: this one is over\n');
  expect(out).toContain('\n  kubectl -n team-a edit cloudsupportticket mail\n');
  expect(out).not.toMatch(/replace|made anew/i);
});
