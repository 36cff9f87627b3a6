import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testClient } from '../test-client.ts';
import type { LedgerRequest } from './ledger.ts';
import { Ledger } from './ledger.ts';
import { probeAreas } from './probe-area.ts';

const client = () => testClient({ areas: probeAreas });

test('the ledger holds every request: who, what, the answer, and what it changed', async () => {
  const api = client();
  await api.post('/vm/probes', { label: 'alpha' });
  await api.send('GET', '/vm/probes?page=1', { authorization: 'Bearer token-colleague', 'X-Filter': '{"label":"alpha"}' });
  await api.as('nobody').get('/vm/probes/1');
  expect(api.emulator.control.requests()).toMatchObject([
    {
      seq: 1,
      at: Date.UTC(2026, 0, 1),
      username: 'admin',
      method: 'POST',
      template: '/vm/probes',
      body: '{"label":"alpha"}',
      status: 200,
      changes: [{ collection: 'probes', key: 1, kind: 'insert' }],
    },
    { seq: 2, username: 'colleague', path: '/vm/probes', query: 'page=1', filter: '{"label":"alpha"}', changes: [] },
    { seq: 3, username: '', template: '/vm/probes/{probeId}', path: '/vm/probes/1', status: 401 },
  ]);
  expect(api.emulator.control.requests(2).map((request) => request.seq)).toEqual([3]);
});

test('the ledger holds every object that ever lived: birth, changes, death, and whose they were', async () => {
  const api = client();
  await api.post('/vm/probes', { label: 'alpha' });
  api.clock.advance(20_000);
  await api.as('token-colleague').put('/vm/probes/1', { label: 'renamed' });
  await api.delete('/vm/probes/1');
  const [probe] = api.emulator.control.objects().filter((object) => object.collection === 'probes');
  expect(probe).toMatchObject({
    key: 1,
    bornBy: 'admin',
    origin: 'request 1',
    row: { label: 'renamed', status: 'active' },
    changes: [
      { origin: 'job 100000 vm_create', fields: ['status'] },
      { by: 'colleague', origin: 'request 2', fields: ['label'] },
    ],
    diedAt: Date.UTC(2026, 0, 1) + 20_000,
    diedBy: 'admin',
    diedOrigin: 'request 3',
  });
});

const request = (seq: number) => ({ seq, path: '/account', status: 200, changes: [] }) as unknown as LedgerRequest;

test('requests beyond the limit spill to a file and are read back', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'emulator-ledger-')), 'requests.jsonl');
  const ledger = new Ledger(() => 0, file, 100);
  for (let count = 0; count < 250; count += 1) ledger.add(request(ledger.nextSeq()));
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(200);
  expect(ledger.requests().map((one) => one.seq)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  expect(ledger.requests(248).map((one) => one.seq)).toEqual([249, 250]);
});

const seqs = (ledger: Ledger) => ledger.requests().map((one) => one.seq);

function filled(ledger: Ledger): Ledger {
  for (let count = 0; count < 150; count += 1) ledger.add(request(ledger.nextSeq()));
  return ledger;
}

test('a ledger without a file forgets nothing, and a reset does not bring back what was spilled before', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'emulator-ledger-')), 'requests.jsonl');
  const all = Array.from({ length: 150 }, (_, index) => index + 1);
  expect(seqs(filled(new Ledger(() => 0, undefined, 100)))).toEqual(all);
  filled(new Ledger(() => 0, file, 100));
  expect(seqs(filled(new Ledger(() => 0, file, 100)))).toEqual(all);
});

test('edits out of band: as another user, neutral words, beside faults and windows', async () => {
  const api = testClient({ areas: probeAreas, providerWord: 'linode', knobs: { rateProfile: 'published-2026' } });
  api.emulator.control.addFault({ match: {}, effect: { kind: 'answer', status: 500 } });
  const answer = await api.emulator.control.actAs({
    username: 'colleague',
    method: 'POST',
    path: '/v4/vm/probes',
    body: { label: 'alpha', vm_id: 3 },
  });
  expect([answer.status, JSON.parse(answer.body as string)]).toMatchObject([200, { vm_id: 3 }]);
  expect(api.emulator.control.requests()).toMatchObject([{ username: 'colleague', status: 200, changes: [{ key: 1 }] }]);
  api.emulator.control.clearFaults();
  expect((await api.get('/linode/probes')).data).toMatchObject([{ linode_id: 3 }]);
  expect((await api.get('/account/events')).data).toMatchObject([{ username: 'colleague' }]);
});

test('the provider plants, changes and removes rows', async () => {
  const api = client();
  await api.post('/vm/probes', { label: 'alpha' });
  api.emulator.control.edit({ collection: 'probes', key: 1, row: { status: 'offline' } });
  expect((await api.get('/vm/probes/1')).body['status']).toBe('offline');
  api.emulator.control.edit({ collection: 'probes', key: 1 });
  expect((await api.get('/vm/probes/1')).status).toBe(404);
  expect(api.emulator.control.objects().find((object) => object.collection === 'probes')).toMatchObject({ diedOrigin: 'provider' });
});

test('knobs are checked', () => {
  const { control } = client().emulator;
  expect(() => control.setKnobs({ listLag: 3 })).toThrow('no knob listLag');
  expect(() => control.setKnobs({ rateProfile: 'fast' })).toThrow('no knob rateProfile that takes "fast"');
  expect(() => control.setKnobs({ listLagSeconds: '3' })).toThrow('listLagSeconds');
  control.setKnobs({ listLagSeconds: 3 });
  expect(control.knobs.listLagSeconds).toBe(3);
});

test('a reset brings back the start; the same seed gives the same run', async () => {
  const api = client();
  const run = async () => {
    await api.post('/vm/probes', { label: 'alpha' });
    await api.put('/account', { city: 'Paris' });
    return JSON.stringify([api.emulator.control.rows('probes'), (await api.get('/account/events')).data.map((row) => row['id'])]);
  };
  const before = await run();
  api.emulator.control.revokeToken('token-other');
  api.emulator.control.reset();
  expect([api.emulator.control.requests(), (await api.get('/vm/probes')).body['results']]).toEqual([[], 0]);
  expect((await api.as('token-other').get('/account')).status).toBe(200);
  expect(await run()).toBe(before);
  api.clock.advance(60_000);
  expect((await api.get('/vm/probes/1')).body['status']).toBe('active');
});
