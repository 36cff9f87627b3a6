import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import CloudVolume from '../../../src/kinds/cloud-volume.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const writes = (): readonly string[] => changesOf(world);
const volumes = (): { id: number; label: string; tags: string[]; size: number }[] => world.emulator.control.rows('volumes') as never;
async function somebodyMakes(body: Record<string, unknown>): Promise<number> {
  const answer = await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: '/v4/volumes', body });
  return (JSON.parse(String(answer.body)) as { id: number }).id;
}
const spec = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  label: 'data',
  region: 'eu-central',
  sizeGiB: 20,
  ...more,
});

describe('what exists already', () => {
  it('is never taken without adopt; the message says what to write', async () => {
    const id = await somebodyMakes({ label: 'data', region: 'eu-central', size: 20 });
    await world.apply('CloudVolume', 'data', spec());
    const condition = await world.reason('CloudVolume', 'data', 'AlreadyExists');
    expect(condition.message).toContain(`spec.adopt: {id: ${id}}`);
    expect(writes()).toEqual([]);
    await world.apply('CloudVolume', 'data', spec({ adopt: { id } }));
    const adopted = await world.ready('CloudVolume', 'data');
    expect(adopted.status).toMatchObject({ id: String(id), origin: 'Adopted', policy: 'Retain' });
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    expect(volumes().map((volume) => volume.id)).toEqual([id]);
  });
  it('an adopt that matches nothing is never a create', async () => {
    await world.apply('CloudVolume', 'data', spec({ adopt: { id: 4711 } }));
    await world.reason('CloudVolume', 'data', 'RemoteMissing');
    await world.clock.advance(3_600_000);
    expect(writes()).toEqual([]);
  });
  it('the younger of two objects with one name is AlreadyClaimed and goes without a call', async () => {
    await world.apply('CloudVolume', 'first', spec({ lifecycle: { onDelete: 'Delete' } }));
    await world.ready('CloudVolume', 'first');
    await world.apply('CloudVolume', 'second', spec({ lifecycle: { onDelete: 'Delete' } }));
    await world.reason('CloudVolume', 'second', 'AlreadyClaimed');
    await world.delete('CloudVolume', 'second');
    await world.gone('CloudVolume', 'second');
    expect(volumes()).toHaveLength(1);
    expect(writes().filter((call) => call.startsWith('DELETE'))).toEqual([]);
  });
});

describe('rules of the lifecycle', () => {
  it('Retain keeps the remote and says so', async () => {
    await world.apply('CloudVolume', 'data', spec());
    await world.ready('CloudVolume', 'data');
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    expect(volumes()).toHaveLength(1);
    const events = world.server.objects('/events') as unknown as { reason: string }[];
    expect(events.map(({ reason }) => reason)).toContain('Retained');
  });
  it('Observe never writes, and follows what changes', async () => {
    const id = await somebodyMakes({ label: 'data', region: 'eu-central', size: 20 });
    await world.apply('CloudVolume', 'data', spec({ sizeGiB: 40, adopt: { id }, lifecycle: { management: 'Observe' } }));
    await world.reason('CloudVolume', 'data', 'Observed');
    expect((await world.get('CloudVolume', 'data')).status).toMatchObject({
      sizeGiB: 20,
      policy: 'Observe',
      drift: [{ field: 'sizeGiB', was: 40, now: 20 }],
    });
    expect(writes()).toEqual([]);
  });
  it('drift that is only reported names field, old, new and actor, and is not touched', async () => {
    await world.apply('CloudVolume', 'data', spec({ tags: ['prod'], lifecycle: { drift: 'Report' } }));
    const { status } = await world.ready('CloudVolume', 'data');
    await world.clock.advance(120_000);
    await world.emulator.control.actAs({
      username: 'colleague',
      method: 'PUT',
      path: `/v4/volumes/${String(status?.['id'])}`,
      body: { tags: ['theirs'] },
    });
    await world.reason('CloudVolume', 'data', 'DriftReported', 15_000);
    const after = await world.get('CloudVolume', 'data');
    expect(after.status?.['drift']).toMatchObject([{ field: 'tags', was: ['prod'], now: ['theirs'], by: 'colleague' }]);
    await world.clock.advance(3_600_000);
    expect(volumes()[0]?.tags).toEqual(['theirs']);
  });
  it('a field that somebody keeps rewriting is Contested', async () => {
    await world.apply('CloudVolume', 'data', spec({ tags: ['prod'] }));
    const { status } = await world.ready('CloudVolume', 'data');
    for (let round = 0; round < 4; round += 1) {
      await world.clock.advance(120_000);
      await world.emulator.control.actAs({
        username: 'colleague',
        method: 'PUT',
        path: `/v4/volumes/${String(status?.['id'])}`,
        body: { tags: ['theirs'] },
      });
      await world.clock.advance(60_000);
    }
    await world.reason('CloudVolume', 'data', 'Contested');
    const puts = writes().filter((call) => call.startsWith('PUT')).length;
    await world.clock.advance(1_200_000);
    expect(writes().filter((call) => call.startsWith('PUT'))).toHaveLength(puts);
  });
  it('a paused object is left alone until it is not', async () => {
    await world.apply('CloudVolume', 'data', spec());
    await world.ready('CloudVolume', 'data');
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    await world.reason('CloudVolume', 'data', 'Paused');
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 30 } });
    await world.clock.advance(600_000);
    expect(volumes()[0]?.size).toBe(20);
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/pause': null } } });
    await world.ready('CloudVolume', 'data');
    expect(volumes()[0]?.size).toBe(30);
  });
  it('a deletion under a ReadOnly account waits as one that is held, and goes on under Manage', async () => {
    await world.apply('CloudVolume', 'data', spec({ lifecycle: { onDelete: 'Delete' } }));
    await world.ready('CloudVolume', 'data');
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(5000);
    await world.delete('CloudVolume', 'data');
    await world.reason('CloudVolume', 'data', 'ReadOnly');
    const { status } = await world.get('CloudVolume', 'data');
    const shown = Object.fromEntries((status?.conditions ?? []).map((one) => [one.type, one.status]));
    expect(shown).toEqual({ Ready: 'False', Synced: 'False', Reconciling: 'True', Stalled: 'False' });
    expect(volumes()).toHaveLength(1);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.gone('CloudVolume', 'data', 60_000);
    expect(volumes()).toEqual([]);
  });
  it('a ReadOnly account reports what it would do and does nothing', async () => {
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(5000);
    await world.apply('CloudVolume', 'data', spec());
    await world.reason('CloudVolume', 'data', 'ReadOnly');
    expect(writes()).toEqual([]);
  });
});

describe('what goes missing', () => {
  it('stalls with the user that removed it, until a person asks for a new one', async () => {
    await world.apply('CloudVolume', 'data', spec());
    const { status } = await world.ready('CloudVolume', 'data');
    await world.clock.advance(180_000);
    await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/volumes/${String(status?.['id'])}` });
    const condition = await world.reason('CloudVolume', 'data', 'RemoteMissing');
    expect(condition.message).toContain('colleague');
    expect(volumes()).toHaveLength(0);
    const lost = (await world.get('CloudVolume', 'data')).status ?? {};
    expect(Object.keys(lost).filter((field) => field in CloudVolume.status.shape)).toEqual([]);
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/recreate': '2026-01-01T01:00:00Z' } } });
    const again = await world.ready('CloudVolume', 'data');
    expect(volumes().map(({ id }) => String(id))).toEqual([again.status?.['id']]);
  });
});

describe('the account goes first', () => {
  it('stays until its objects are gone, and deletions work without the token Secret', async () => {
    await world.apply('CloudVolume', 'data', spec({ lifecycle: { onDelete: 'Delete' } }));
    await world.ready('CloudVolume', 'data');
    await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/cloud-token');
    await world.delete('CloudAccount', 'default');
    await world.clock.advance(120_000);
    expect((await world.condition('CloudAccount', 'default', 'Synced'))?.message).toContain('CloudVolume team-a/data');
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    await world.gone('CloudAccount', 'default');
    expect(volumes()).toEqual([]);
  });
  it('a namespace that is deleted leaves nothing behind', async () => {
    await world.apply('CloudVolume', 'data', spec({ lifecycle: { onDelete: 'Delete' } }));
    await world.ready('CloudVolume', 'data');
    await world.admin('DELETE', '/api/v1/namespaces/team-a');
    await world.clock.runUntil(async () => (await world.server.as('admin', 'GET', '/api/v1/namespaces/team-a')).status === 404, 900_000);
    expect(volumes()).toEqual([]);
  });
});

describe('the brake', () => {
  it('counts what went already, so that a slow deletion of everything is held too', async () => {
    for (let n = 0; n < 14; n += 1)
      await world.apply('CloudVolume', `v${n}`, { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
    for (let n = 0; n < 14; n += 1) await world.ready('CloudVolume', `v${n}`);
    for (let n = 0; n < 14; n += 1) {
      await world.delete('CloudVolume', `v${n}`);
      await world.clock.advance(15_000);
    }
    expect(volumes()).toHaveLength(4);
    expect((await world.condition('CloudVolume', 'v13', 'Synced'))?.reason).toBe('DeletionHeld');
  });
  it('holds a deletion of much of a namespace until a person lets it go', async () => {
    for (let n = 0; n < 12; n += 1)
      await world.apply('CloudVolume', `v${n}`, { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
    for (let n = 0; n < 12; n += 1) await world.ready('CloudVolume', `v${n}`);
    for (let n = 0; n < 12; n += 1) await world.delete('CloudVolume', `v${n}`);
    await world.clock.advance(120_000);
    const held = (await world.get('CloudAccount', 'default')).status?.['held'] as { release: string; count: number }[];
    expect(held).toHaveLength(1);
    expect(volumes().length).toBeGreaterThanOrEqual(11);
    await world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/release': held[0]?.release } } });
    for (let n = 0; n < 12; n += 1) await world.gone('CloudVolume', `v${n}`);
    expect(volumes()).toEqual([]);
  });
});

describe('who it was', () => {
  it('is named also where events name only the parent', async () => {
    await world.apply('CloudDomain', 'example', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
    await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'example' }, type: 'A', host: 'www', target: '192.0.2.1' });
    const record = await world.ready('CloudDomainRecord', 'www');
    await world.clock.advance(120_000);
    await world.emulator.control.actAs({
      username: 'colleague',
      method: 'PUT',
      path: `/v4${String(record.status?.['path'])}`,
      body: { target: '192.0.2.66' },
    });
    await world.clock.advance(15_000);
    expect((await world.ready('CloudDomainRecord', 'www')).status?.['lastCorrection']).toMatchObject({
      fields: ['target'],
      by: 'colleague',
    });
  });
  it('is not somebody who changed the parent itself', async () => {
    await world.apply('CloudDomain', 'example', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
    await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'example' }, type: 'A', host: 'www', target: '192.0.2.1' });
    const { status } = await world.ready('CloudDomainRecord', 'www');
    await world.clock.advance(120_000);
    const zone = String(status?.['path']).split('/').slice(0, 3).join('/');
    await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4${zone}`, body: { description: 'mine' } });
    world.emulator.control.edit({ collection: 'domain records', key: Number(status?.['id']), row: { target: '192.0.2.66' } });
    await world.clock.advance(400_000);
    const corrected = (await world.ready('CloudDomainRecord', 'www')).status?.['lastCorrection'];
    expect(corrected).toMatchObject({ fields: ['target'] });
    expect(corrected).not.toHaveProperty('by');
  });
  it('is not somebody whose change was long ago', async () => {
    await world.apply('CloudVolume', 'data', spec({ tags: ['prod'] }));
    const path = `/v4/volumes/${String((await world.ready('CloudVolume', 'data')).status?.['id'])}`;
    await world.clock.advance(120_000);
    await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path, body: { tags: ['prod', 'x'] } });
    await world.clock.advance(3_600_000);
    world.emulator.control.edit({ collection: 'volumes', key: volumes()[0]?.id ?? 0, row: { tags: ['silently'] } });
    await world.clock.advance(600_000);
    const { status } = await world.ready('CloudVolume', 'data');
    expect(status?.['lastCorrection']).toMatchObject({ fields: ['tags'] });
    expect(status?.['lastCorrection']).not.toHaveProperty('by');
  });
});
