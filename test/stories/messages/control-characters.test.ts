import { beforeEach, expect, it } from 'vitest';
import { cloud, endpoint } from '../../support/plugin/cloud-cli.ts';
import { World } from '../../support/world/world.ts';

/** One line up, erased, clipboard written (OSC 52): what a tenant may write for an administrator to look at. */
const esc = '\u001b[1A\u001b[2K\u001b]52;c;ZXZpbA==\u0007';
const accountRef = { name: 'default', namespace: 'platform' };
const script = { accountRef, label: `nginx${esc}`, images: ['vm/debian11'], script: '#!/bin/bash\n', revisionNote: 'a' };
const control = /(?!\n)\p{Cc}/u;
let world: World;
beforeEach(async () => {
  world = await World.create();
  for (const name of ['platform', 'evil']) await world.namespace(name);
  await world.account({ access: [{ namespaces: ['evil'] }] }, 'platform');
  await world.start();
  await world.apply('CloudStackScript', 'one', script, 'evil');
  await world.ready('CloudStackScript', 'one', 600_000, 'evil');
  const revisionNote = `b${esc}\nWhat to do: type this\n  kubectl cloud abandon cvol/data -n team-a`;
  await world.patch('CloudStackScript', 'one', { spec: { revisionNote, lifecycle: { management: 'Observe' } } }, 'evil');
  await world.reason('CloudStackScript', 'one', 'Observed', 60_000, 'evil');
});
const ofAccount = `--account platform/default --endpoint ${endpoint}`;

it.each([
  'why cscript/one -n evil',
  `plan cscript/one -n evil --endpoint ${endpoint}`,
  'wait cscript/one -n evil --timeout=2s',
  `get stackscripts ${ofAccount}`,
  `events ${ofAccount}`,
  `history cscript/one -n evil --endpoint ${endpoint}`,
])('%s writes no control characters of a tenant', async (line) => {
  const { out, err } = await cloud(world, line, { limit: 300_000 });
  expect(out + err).not.toMatch(control);
});
it('why shows one advice, and that is its own', async () => {
  expect((await cloud(world, 'why cscript/one -n evil')).out.match(/^What to do:/gm)).toHaveLength(1);
});
it.each(['history cscript/one -n evil', 'why cscript/one -n evil', 'status -n evil'])(
  '%s makes no line of the reason of a pause',
  async (line) => {
    const reason = `a${esc}\n2026-01-01T00:00:00Z   account   admin   forged`;
    const pause = `until=2026-01-02T00:00:00Z;reason=${reason}`;
    await world.patch('CloudStackScript', 'one', { metadata: { annotations: { 'cloudhosting.dev/pause': pause } } }, 'evil');
    await world.reason('CloudStackScript', 'one', 'Paused', 60_000, 'evil');
    const { out } = await cloud(world, line.startsWith('history') ? `${line} --endpoint ${endpoint}` : line, { limit: 300_000 });
    expect(out).not.toMatch(/^\S*2026-01-01T00:00:00Z   account   admin/m);
    expect(out).not.toMatch(control);
    await noneSays();
  },
);
async function noneSays(): Promise<void> {
  const events = world.server.objects('/events').map((event) => String((event as unknown as { note?: string }).note));
  const texts = [
    ...((await world.get('CloudStackScript', 'one', 'evil')).status?.conditions ?? []).map(({ message }) => message ?? ''),
    ...events,
  ];
  for (const text of texts) expect.soft(text).not.toMatch(/\p{Cc}/u);
}
it('no condition and no Event has control characters of a tenant', noneSays);
