import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { Flux } from '../../support/world/flux.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
let world: World;
let flux: Flux;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  flux = new Flux(world);
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
  await world.ready('CloudVolume', 'data');
});
const later = (after: number): string => new Date(world.clock.now() + after).toISOString().replace(/\.\d+Z$/, 'Z');
const size = (): unknown => (world.emulator.control.rows('volumes') as unknown as { size: number }[])[0]?.size;
const grow = (sizeGiB: number): Promise<unknown> => world.patch('CloudVolume', 'data', { spec: { sizeGiB } });
const calls = (): number => changesOf(world).length;
const annotate = (name: string, value: string | null): Promise<unknown> =>
  world.patch('CloudVolume', 'data', { metadata: { annotations: { [`cloudhosting.dev/${name}`]: value } } });
const paused = async (): Promise<unknown> => (await world.get('CloudVolume', 'data')).status?.['paused'];

describe('a pause with an end', () => {
  it('lasts until then although its annotation is taken away, also over a restart', async () => {
    const until = later(60 * minute);
    await flux.kubectl('CloudVolume', 'data', 'pause', `until=${until};reason=incident 7`);
    const { message } = await world.reason('CloudVolume', 'data', 'Paused');
    expect(message).toContain(until);
    expect(message).toContain('incident 7');
    expect(await paused()).toMatchObject({ until, reason: 'incident 7', at: expect.stringMatching(/Z$/) });
    const before = calls();
    await grow(30);
    await world.clock.advance(30 * minute);
    expect((await world.get('CloudVolume', 'data')).metadata.annotations?.['cloudhosting.dev/pause']).toBeUndefined();
    expect(calls()).toBe(before);
    await world.start();
    await world.clock.advance(29 * minute);
    expect(calls()).toBe(before);
    await world.clock.advance(2 * minute);
    await world.ready('CloudVolume', 'data');
    expect(size()).toBe(30);
    expect(await paused()).toBeUndefined();
  });
  it('ends with annotation resume, each value of which counts once', async () => {
    await annotate('pause', `until=${later(60 * minute)}`);
    await world.reason('CloudVolume', 'data', 'Paused');
    await grow(30);
    await flux.kubectl('CloudVolume', 'data', 'resume', 'now');
    await world.ready('CloudVolume', 'data', minute);
    expect(size()).toBe(30);
    await world.clock.advance(5 * minute);
    await annotate('pause', `until=${later(120 * minute)}`);
    await world.reason('CloudVolume', 'data', 'Paused');
    await annotate('resume', 'now');
    await grow(40);
    await world.clock.advance(30 * minute);
    expect(size()).toBe(30);
    await annotate('resume', 'now indeed');
    await world.ready('CloudVolume', 'data', minute);
    expect(size()).toBe(40);
  });
  it('that cannot be read pauses as long as its annotation is there, and says what to write', async () => {
    await annotate('pause', 'until=tomorrow');
    const { message } = await world.reason('CloudVolume', 'data', 'Paused');
    expect(message).toMatch(/until=tomorrow.*Write for example until=/);
    const events = world.server.objects('/events') as unknown as { message: string; reason: string }[];
    expect(events.some((event) => event.reason === 'Paused' && event.message.includes('until=tomorrow'))).toBe(true);
    await grow(30);
    await world.clock.advance(60 * minute);
    expect(size()).toBe(20);
    await annotate('pause', null);
    await world.ready('CloudVolume', 'data');
    expect(size()).toBe(30);
  });
});

it('a pause without an end lasts as long as its annotation', async () => {
  await annotate('pause', 'true');
  await world.reason('CloudVolume', 'data', 'Paused');
  expect(await paused()).toBeUndefined();
  await grow(30);
  await world.clock.advance(60 * minute);
  expect(size()).toBe(20);
  await annotate('pause', null);
  await world.ready('CloudVolume', 'data');
  expect(size()).toBe(30);
});

const puts = () => changesOf(world).filter((change) => change.startsWith('PUT'));

describe('while changes wait for the rate window', () => {
  const names = Array.from({ length: 60 }, (_, n) => `many-${n}`);
  const edit = async (label: (name: string) => string) => {
    for (const name of names) await world.patch('CloudVolume', name, { spec: { label: label(name) } });
  };
  beforeEach(async () => {
    await world.patch('CloudAccount', 'default', { spec: { budget: { sharePercent: 1 } } });
    for (const name of names) await world.apply('CloudVolume', name, { region: 'eu-central', sizeGiB: 20 });
    for (const name of names) await world.ready('CloudVolume', name, 60 * minute);
    world.emulator.control.setKnobs({ rateProfile: 'published-2026' });
    await world.clock.advance(2 * minute);
    await edit((name) => `${name}-b`);
    await world.clock.advance(5000);
  });

  it('a pause of their objects stops them', async () => {
    for (const name of names) await world.patch('CloudVolume', name, { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    await world.clock.advance(2000);
    const before = puts().length;
    expect(before).toBeLessThan(names.length);
    await world.clock.advance(10 * minute);
    expect(puts().length).toBe(before);
  });

  it('another edit replaces them: what nobody wants any more is not sent', async () => {
    const before = puts().length;
    expect(before).toBeLessThan(names.length);
    await edit((name) => `${name}-c`);
    await world.clock.advance(20 * minute);
    const labels = world.emulator.control.rows('volumes').map((row) => (row as { label?: string }).label);
    expect(names.filter((name) => !labels.includes(`${name}-c`))).toEqual([]);
    expect(puts().length - before).toBe(names.length);
  });
});
