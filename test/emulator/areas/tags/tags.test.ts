import { expect, test } from 'vitest';
import { emptyInstance, testAccount } from '../test-account.ts';

test('POST /tags GET /tags/{label}: the tag is on every listed object at once', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api, { tags: ['zeta'] });
  const volume = (await api.made('/volumes', { label: 'data', region: 'us-east' }))['id'];
  expect(await api.made('/tags', { label: 'prod=true', vms: [vm], volumes: [volume] })).toEqual({ label: 'prod=true' });
  expect(await api.seen(`/vm/instances/${vm}`)).toMatchObject({ tags: ['prod=true', 'zeta'] });
  expect((await api.get('/tags/prod%3Dtrue')).data).toMatchObject([
    { type: 'vm', data: { id: vm } },
    { type: 'volume', data: { id: volume, label: 'data' } },
  ]);
  expect(await api.event('tag_create')).toMatchObject({ entity: { id: 'prod=true', label: 'prod=true', type: 'tag' } });
});

test('a tag is refused for its label, its objects and its user', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api);
  expect((await api.post('/tags', { label: 'ab' })).errors).toEqual(['label: Length must be 3-50 characters']);
  expect((await api.post('/tags', { label: 'prod', vms: [vm], volumes: [7] })).errors).toEqual(['volumes: volumes is not valid']);
  expect((await api.get('/tags')).data).toEqual([]);
  expect(await api.seen(`/vm/instances/${vm}`)).toMatchObject({ tags: [] });
  expect((await api.as('token-limited').post('/tags', { label: 'prod' })).status).toBe(403);
  await api.made('/tags', { label: 'prod' });
  expect((await api.post('/tags', { label: 'prod' })).status).toBe(400);
});

test('GET /tags: a tag comes with an object and outlives it', async () => {
  const api = testAccount();
  const { id } = await api.made('/volumes', { label: 'data', region: 'us-east', tags: ['stays'] });
  await api.delete(`/volumes/${String(id)}`);
  expect((await api.get('/tags')).data).toEqual([{ label: 'stays' }]);
  expect((await api.get('/tags/stays')).data).toEqual([]);
});

test('NodeBalancers of the account file carry tags too', async () => {
  const api = testAccount();
  const row = {
    label: 'front',
    region: 'us-east',
    hostname: 'h.example',
    ipv4: '198.51.100.9',
    ipv6: null,
    client_conn_throttle: 0,
    tags: [],
  };
  api.emulator.control.edit({ collection: 'nodebalancers', row });
  const [{ id } = { id: 0 }] = api.emulator.control.rows('nodebalancers') as readonly { id: number }[];
  await api.made('/tags', { label: 'prod', nodebalancers: [id] });
  expect((await api.get('/tags/prod')).data).toMatchObject([{ type: 'nodebalancer', data: { id, label: 'front' } }]);
});

test('DELETE /tags/{label} takes it off every object', async () => {
  const api = testAccount();
  const vm = await emptyInstance(api, { tags: ['prod', 'web'] });
  const rules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' };
  const firewall = String((await api.made('/networking/firewalls', { label: 'web', rules, tags: ['prod'] }))['id']);
  expect((await api.delete('/tags/prod')).body).toEqual({});
  expect(await api.seen(`/vm/instances/${vm}`)).toMatchObject({ tags: ['web'] });
  expect(await api.seen(`/networking/firewalls/${firewall}`)).toMatchObject({ tags: [] });
  expect((await api.get('/tags/prod')).status).toBe(404);
  expect((await api.log()).slice(-1)).toEqual(['tag_delete notification']);
});
