import { expect, test } from 'vitest';
import { testAccount } from './test-account.ts';

test.each(['vm', 'linode', 'server'])('tickets, transfers and managed settings speak the provider word %s', async (word) => {
  const api = testAccount({ providerWord: word });
  const { id } = await api.made(`/${word}/instances`, { region: 'us-east', type: 'g6-nanode-1', label: 'kvm-vm' });
  api.seconds(60);
  const entity = { id, label: 'kvm-vm', type: word, url: `/v4/${word}/instances/${String(id)}` };
  const ticket = await api.made('/support/tickets', { summary: 'vm', description: 'vms', [`${word}_id`]: id });
  expect(ticket).toMatchObject({ summary: 'vm', description: 'vms', entity });
  const replies = `/support/tickets/${String(ticket['id'])}/replies`;
  expect(await api.made(replies, { description: 'a vm' })).toMatchObject({ [`from_${word}`]: false, description: 'a vm' });
  expect((await api.post('/support/tickets', { summary: 's', description: 'd', [`${word}_id`]: 7 })).errors).toEqual([
    `${word}_id: A valid Linode by that ID was not found`,
  ]);
  const transfer = await api.made('/account/service-transfers', { entities: { [`${word}s`]: [id] } });
  expect(transfer['entities']).toEqual({ [`${word}s`]: [id] });
  expect((await api.post('/account/service-transfers', { entities: { [`${word}s`]: [id] } })).errors).toEqual([
    expect.stringContaining(`entities.${word}s[0]: `),
  ]);
  expect((await api.get(`/managed/${word}-settings`)).data).toMatchObject([{ id, label: 'kvm-vm' }]);
  expect(api.emulator.control.rows('transfers')).toMatchObject([{ entities: { vms: [id] } }]);
});
