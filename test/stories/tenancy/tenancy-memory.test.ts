import { expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

const [platform, tenant] = ['platform', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const kib = 1024;
const files = { big: 200 * kib, more: 50 * kib, less: 6 * kib, tooMuch: 7 * kib } as const;

async function begin() {
  const world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [tenant] }] }, platform);
  const texts = Object.fromEntries(Object.entries(files).map(([key, length]) => [key, 'x'.repeat(length)]));
  await world.secret('answers', { ...texts, password: 'Corr3ct-Horse-Battery!' }, tenant);
  await world.start();
  await world.apply('CloudStackScript', 'setup', { accountRef, label: 'setup', images: ['vm/debian11'], script: '#!/bin/sh\n' }, tenant);
  await world.ready('CloudStackScript', 'setup', 3_600_000, tenant);
  return world;
}
const machine = (answers: readonly (keyof typeof files)[]) => ({
  accountRef,
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'answers', key: 'password' },
  stackscriptRef: { name: 'setup' },
  stackscriptData: answers.map((key) => ({ name: key, secretRef: { name: 'answers', key } })),
});

it('an object names no more of Secrets than it may hold while it waits', async () => {
  const world = await begin();
  const before = changesOf(world).length;
  await world.apply('CloudInstance', 'web', machine(['big', 'more', 'tooMuch']), tenant);
  await world.clock.advance(60_000);
  const synced = await world.condition('CloudInstance', 'web', 'Synced', tenant);
  expect(synced?.status).toBe('False');
  expect(synced?.message).toContain(
    'spec.stackscriptData[2].secretRef: with it this object names more than 256 KiB of Secrets and ConfigMaps together, and nothing is sent for it',
  );
  expect(changesOf(world).slice(before)).toEqual([]);
});

it('the files of a ticket, which only the owner of the account may open, may be longer', async () => {
  const world = await begin();
  await world.configMap('files', { whole: 'x'.repeat(800 * kib) }, platform);
  const from = { configMapKeyRef: { name: 'files', key: 'whole' } };
  const attachments = ['one.txt', 'two.txt'].map((fileName) => ({ fileName, from }));
  await world.apply('CloudSupportTicket', 'slow', { accountRef, summary: 'A disk is slow', description: 'Why?', attachments }, platform);
  await world.ready('CloudSupportTicket', 'slow', 3_600_000, platform);
});
