import { describe, expect, it } from 'vitest';
import { eventOf, isJob } from '../../../src/cloud/events/event-record.ts';
import { eventRules } from '../../../src/cloud/events/event-rules.ts';
import type { EventRouting } from '../../../src/resource/index.ts';

const engine: EventRouting = {
  entity: 'engine',
  actions: ['engine_'],
  creates: ['engine_create'],
  deletes: ['engine_delete'],
  finishesLater: ['engine_create'],
};
const device: EventRouting = { entity: 'engine', secondary: 'device', actions: ['device_'], deletes: ['device_delete'] };
const part: EventRouting = { entity: 'engine', actions: ['part_'], ofParent: true, creates: ['part_create'] };
const rules = eventRules([{ events: [engine, device] }, { events: [part] }]);
const event = (action: string, status: string, percent: number | null = null) =>
  eventOf(
    {
      id: 1,
      action,
      status,
      percent_complete: percent,
      username: 'colleague',
      created: '2026-01-01T00:00:00',
      entity: { type: 'engine', id: 7, url: '/v4/engines/7' },
      secondary_entity: { type: 'device', id: 8, url: '/v4/engines/7/devices/8' },
    },
    rules,
  );

describe('an event', () => {
  it('names what is new by an action of which a kind says so', () => {
    expect(event('engine_create', 'notification')).toMatchObject({ newPath: '/engines/7', gonePath: undefined });
    expect(event('engine_update', 'notification')).toMatchObject({ newPath: undefined, gonePath: undefined });
  });
  it('names the parent below which something is new, and not that as new', () =>
    expect(event('part_create', 'notification')).toMatchObject({ newPath: undefined, newBelow: '/engines/7' }));
  it('names what is gone once that is done', () => {
    expect(event('engine_delete', 'started')?.gonePath).toBeUndefined();
    expect(event('engine_delete', 'finished')?.gonePath).toBe('/engines/7');
  });
  it('means its second entity where a kind is named by that', () =>
    expect(event('device_delete', 'notification')?.gonePath).toBe('/engines/7/devices/8'));
  it('is an open job as a notification where a kind says that it finishes later, and nowhere else', () => {
    expect(event('engine_create', 'notification')).toMatchObject({ open: true });
    expect(event('engine_update', 'notification')).toMatchObject({ open: false });
  });
  it('is a job while it is open, and afterwards where it had a percentage', () => {
    const jobs = [event('engine_create', 'notification'), event('engine_update', 'finished', 100), event('engine_update', 'finished')];
    expect(jobs.map((one) => one !== undefined && isJob(one))).toEqual([true, true, false]);
  });
});
