import { expect } from 'vitest';
import { FormData } from 'undici';
import type { Narrator, Row } from './narrator.ts';

const idOf = (row: Row | undefined): number => Number(row?.['id']);
const nodes = (row: Row): readonly Row[] => row['nodes'] as readonly Row[];

/** A cluster with an autoscaled pool; usable when its kubeconfig answers, not when its status says so. */
export async function createCluster(api: Narrator): Promise<string> {
  const pool = { type: 'g6-standard-1', count: 2, autoscaler: { enabled: true, min: 2, max: 4 } };
  const [version] = await api.rows('/lke/versions');
  const made = await api.done('POST', '/lke/clusters', {
    label: 'apps',
    region: 'eu-west',
    k8s_version: version?.['id'],
    node_pools: [pool],
  });
  const path = `/lke/clusters/${idOf(made)}`;
  expect((await api.call('GET', `${path}/kubeconfig`)).status).toBe(503);
  const { kubeconfig } = await api.until(`${path}/kubeconfig`, () => true);
  expect(Buffer.from(String(kubeconfig), 'base64').toString()).toContain(`lke${idOf(made)}`);
  const [first] = await api.rows(`${path}/pools`);
  const ready = await api.until(`${path}/pools/${idOf(first)}`, (row) => nodes(row).every((node) => node['status'] === 'ready'));
  expect(ready['autoscaler']).toEqual(pool.autoscaler);
  const known = (await api.rows(`/${api.word}/instances`)).map(idOf);
  expect(known).toEqual(expect.arrayContaining(nodes(ready).map((node) => node['instance_id'])));
  return path;
}

export async function createDatabase(api: Narrator): Promise<string> {
  const made = await api.done('POST', '/databases/mysql/instances', {
    label: 'orders',
    engine: 'mysql/8.0.26',
    region: 'eu-west',
    type: 'g6-standard-1',
    allow_list: ['192.0.2.0/24'],
  });
  const path = `/databases/mysql/instances/${idOf(made)}`;
  expect((await api.call('GET', `${path}/credentials`)).status).toBe(400);
  await api.until(path, (row) => row['status'] === 'active');
  await api.done('POST', `${path}/backups`, { label: 'before' });
  const copies = await api.until(`${path}/backups`, (page) => (page['data'] as Row[]).some((row) => row['label'] === 'before'));
  const copy = (copies['data'] as Row[]).find((row) => row['label'] === 'before');
  await api.until(path, (row) => row['status'] === 'active');
  expect(await api.done('GET', `${path}/backups/${idOf(copy)}`)).toMatchObject({ type: 'snapshot' });
  return path;
}

const pem = (kind: string): string => `-----BEGIN ${kind}-----\nTUlJQg==\n-----END ${kind}-----\n`;

/** The object goes in and comes out by pre-signed addresses alone. */
export async function createBucket(api: Narrator): Promise<string> {
  await api.done('POST', '/object-storage/keys', { label: 'backup-job' });
  await api.done('POST', '/object-storage/buckets', { label: 'story-files', cluster: 'eu-central-1' });
  const path = '/object-storage/buckets/eu-central-1/story-files';
  expect(await api.done('POST', `${path}/ssl`, { certificate: pem('CERTIFICATE'), private_key: pem('PRIVATE KEY') })).toEqual({
    ssl: true,
  });
  const sign = (method: string) => api.done('POST', `${path}/object-url`, { name: 'a/b.txt', method, content_type: 'text/plain' });
  const upload = await sign('PUT');
  expect(upload['exists']).toBe(false);
  const put = await api.call('PUT', String(upload['url']), Buffer.from('once upon a time'), { 'content-type': 'text/plain' });
  expect([put.status, put.headers['etag']]).toEqual([200, '"ea36fcd25d96821e1455adec6e5d9a3a"']);
  await api.call('GET', String((await sign('GET'))['url']));
  expect(api.told.at(-1)?.[2]).toBe('once upon a time');
  expect(await api.rows(`${path}/object-list`)).toMatchObject([{ name: 'a/b.txt', size: 16 }]);
  expect(await api.done('GET', path)).toMatchObject({ objects: 1, size: 16 });
  expect((await api.call('DELETE', path)).status).toBe(400);
  return path;
}

/** Asks about the instance with a picture, and pays. */
export async function askAndPay(api: Narrator, vm: string): Promise<string> {
  const subject = { [`${api.word}_id`]: Number(vm.split('/').at(-1)) };
  const made = await api.done('POST', '/support/tickets', { summary: 'More addresses', description: 'Please allow one more.', ...subject });
  const path = `/support/tickets/${idOf(made)}`;
  const form = new FormData();
  form.set('file', new Blob([Buffer.from('89504e470d0a1a0a', 'hex')], { type: 'image/png' }), 'plan.png');
  expect(await api.done('POST', `${path}/attachments`, form)).toEqual({});
  expect(await api.done('GET', path)).toMatchObject({ attachments: ['plan.png'], entity: { type: api.word } });
  await api.done('POST', '/account/payments', { usd: '25.00', cvv: '123' });
  expect((await api.rows('/account/payments')).map((row) => row['usd'])).toContain(25);
  return path;
}
