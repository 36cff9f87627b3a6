import { describe, expect, it } from 'vitest';
import type { LastJob } from '../../../src/resource/index.ts';
import { eventRules } from '../../../src/cloud/events/event-rules.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import { eventOf, type EventRecord } from '../../../src/cloud/events/event-record.ts';
import { EventLog } from '../../../src/cloud/events/event-log.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const event = (action: string, url: string, username: string | null = 'colleague'): EventRecord =>
  eventOf(
    {
      id: 1,
      action,
      status: 'notification',
      username,
      created: '2026-01-01T00:00:00',
      entity: { type: 'domain', id: 5, url },
    },
    eventRules(kinds),
  ) as EventRecord;
const eventLog = (...events: readonly EventRecord[]): EventLog => {
  const made = new EventLog(new VirtualClock());
  for (const one of events) made.note(one, true);
  return made;
};

describe('who changed a thing last', () => {
  it('is the user whose event names it', () =>
    expect(eventLog(event('domain_update', '/v4/domains/5')).actor('/domains/5')).toMatchObject({ user: 'colleague' }));
  it('is the user whose event names its parent, where events name no more than that', () =>
    expect(eventLog(event('domain_record_update', '/v4/domains/5')).actor('/domains/5/records/7')).toMatchObject({
      user: 'colleague',
      action: 'domain_record_update',
    }));
  it('is rather the one of the thing itself', () =>
    expect(
      eventLog(event('domain_record_update', '/v4/domains/5/records/7', 'partner'), event('domain_update', '/v4/domains/5')).actor(
        '/domains/5/records/7',
      ),
    ).toMatchObject({ user: 'partner' }));
  it('is nobody whom an event of a sibling names', () =>
    expect(eventLog(event('domain_update', '/v4/domains/6')).actor('/domains/5/records/7')).toBeUndefined());
  it('is nobody for the account as a whole', () => expect(eventLog().actor('/account')).toBeUndefined());
});

const boot = (status: string, created: string, action = 'vm_boot'): EventRecord =>
  eventOf(
    {
      id: 7,
      action,
      status,
      created,
      percent_complete: 100,
      entity: { type: 'vm', id: 5, url: '/v4/vm/instances/5' },
      secondary_entity: { type: 'vm_config', id: 9, url: '/v4/vm/instances/5/configs/9' },
    },
    eventRules(kinds),
  ) as EventRecord;

describe('when the last job of a thing was', () => {
  const config = '/vm/instances/5/configs/9';
  const last = (...events: readonly EventRecord[]) => eventLog(...events).lastJob(config, { actions: ['vm_boot', 'vm_reboot'] }, undefined);
  it('is told by the second entity of its event, which the first is about too', () =>
    expect(last(boot('finished', '2026-01-01T00:00:00'))).toBe('2026-01-01T00:00:00'));
  it('is that of the newest, in whichever order they are read', () =>
    expect(last(boot('finished', '2026-01-01T00:00:09', 'vm_reboot'), boot('finished', '2026-01-01T00:00:05'))).toBe(
      '2026-01-01T00:00:09',
    ));
  it('is not told before it has finished, by one that failed, or by jobs that no kind asks for', () =>
    expect(
      last(
        boot('started', '2026-01-01T00:00:00'),
        boot('failed', '2026-01-01T00:00:00'),
        boot('finished', '2026-01-01T00:00:00', 'vm_shutdown'),
      ),
    ).toBeUndefined());
  it('is never where all events since it was made are known, and else not known', () => {
    const log = eventLog();
    expect(log.lastJob(config, { actions: ['vm_boot'] }, '2026-01-01T00:00:00')).toBeUndefined();
    log.completeFrom = '2026-01-01T00:00:01';
    expect(log.lastJob(config, { actions: ['vm_boot'] }, '2026-01-01T00:00:00')).toBeUndefined();
    expect(log.lastJob(config, { actions: ['vm_boot'] }, '2026-01-01T00:00:01')).toBe('never');
    expect(log.lastJob(config, { actions: ['vm_boot'] }, undefined)).toBeUndefined();
  });
  it('is not that of the parent, or of a sibling', () => {
    const log = eventLog(boot('finished', '2026-01-01T00:00:00'));
    expect(log.lastJob('/vm/instances/5', { actions: ['vm_boot'] }, undefined)).toBeUndefined();
    expect(log.lastJob('/vm/instances/5/configs/10', { actions: ['vm_boot'] }, undefined)).toBeUndefined();
  });
});

describe('the order of events', () => {
  const [config, other, at] = ['/vm/instances/5/configs/9', '/vm/instances/5/configs/10', '2026-01-01T00:00:05'];
  const lastBoot = kinds.find(({ kind }) => kind === 'CloudInstanceConfig')?.lastJobs?.['lastBoot'] as LastJob;
  const told = (id: number, action: string, created = at, configId?: number): EventRecord =>
    eventOf(
      {
        id,
        action,
        status: 'finished',
        created,
        percent_complete: 100,
        entity: { type: 'vm', id: 5, url: '/v4/vm/instances/5' },
        ...(configId !== undefined && {
          secondary_entity: { type: 'vm_config', id: configId, url: `/v4/vm/instances/5/configs/${configId}` },
        }),
      },
      eventRules(kinds),
    ) as EventRecord;
  const [boot9, change9] = [told(3, 'vm_boot', at, 9), (id: number) => told(id, 'vm_config_update', at, 9)];

  const last = (...events: readonly EventRecord[]) => {
    const log = eventLog(...events);
    return [config, other].map((one) => log.lastJob(one, lastBoot, undefined));
  };
  it('of one second tells what came after the other, in whichever order they are read', () => {
    const overtaken = (...events: readonly EventRecord[]) => eventLog(...events).isOvertaken(config, lastBoot, at);
    expect([overtaken(change9(2), boot9), overtaken(boot9, change9(2)), overtaken(boot9)]).toEqual([false, false, false]);
    expect([overtaken(boot9, change9(4)), overtaken(change9(4), boot9)]).toEqual([true, true]);
    expect(overtaken(change9(4))).toBeUndefined();
    expect(eventLog(boot9).isOvertaken(config, lastBoot, '2026-01-01T00:00:04')).toBeUndefined();
  });
  it('tells what booted with it once more, where it was booted with last and not shut down since', () => {
    const later = '2026-01-01T00:01:00';
    const resize = told(9, 'vm_resize', later);
    expect(last(boot9, resize)).toEqual([later, undefined]);
    expect(last(resize, boot9)).toEqual([later, undefined]);
    expect(last(resize)).toEqual([undefined, undefined]);
    expect(last(boot9, told(5, 'vm_shutdown'), resize)).toEqual([at, undefined]);
    expect(last(boot9, resize, told(10, 'vm_shutdown', later))).toEqual([later, undefined]);
    expect(last(told(1, 'vm_shutdown', at), boot9, resize)).toEqual([later, undefined]);
    expect(last(boot9, told(4, 'vm_reboot', at, 10), resize)).toEqual([at, later]);
  });
});

describe('what the last job of a thing was about besides', () => {
  const at = '/vm/instances/5';
  const withConfig = (id: number, created: string): EventRecord => {
    const seen = boot('finished', created);
    return { ...seen, secondary: { type: 'vm_config', id: String(id), path: `${at}/configs/${id}` }, donePath: `${at}/configs/${id}` };
  };
  const named = (...events: readonly EventRecord[]) => eventLog(...events).lastNamed(at, ['vm_boot', 'vm_reboot']);
  it('is that of the newest, in whichever order they are read', () => {
    const [older, newer] = [withConfig(9, '2026-01-01T00:00:05'), withConfig(10, '2026-01-01T00:00:09')];
    expect([named(older, newer), named(newer, older)]).toEqual(['10', '10']);
  });
  it('is not told by one that failed, or that names nothing', () => {
    const alone = { ...boot('finished', '2026-01-01T00:00:09'), secondary: undefined, donePath: at };
    expect(named(boot('failed', '2026-01-01T00:00:00'))).toBeUndefined();
    expect(named(withConfig(9, '2026-01-01T00:00:05'), alone)).toBe('9');
  });
  it('is not that of another thing', () =>
    expect(eventLog(withConfig(9, '2026-01-01T00:00:05')).lastNamed('/vm/instances/6', ['vm_boot'])).toBeUndefined());
});

describe('who made a thing', () => {
  const at = Date.parse('2026-01-01T00:00:00Z');
  const record = '/domains/5/records/7';
  it('is whoever the event of its creation names, at any time', () =>
    expect(eventLog(event('domain_create', '/v4/domains/5')).creators('/domains/5', undefined)).toEqual(['colleague']));
  it('is told with the way in which it was made', () => {
    const log = eventLog(event('domain_create', '/v4/domains/5'), event('domain_update', '/v4/domains/5'));
    expect([log.birth('/domains/5'), log.birth('/domains/6')]).toEqual(['domain_create', undefined]);
  });
  it('are all who made something below its parent then, where events name no more than that', () => {
    const both = eventLog(event('domain_record_create', '/v4/domains/5'), event('domain_record_create', '/v4/domains/5', null));
    expect(both.creators(record, at + 2000)).toEqual(['colleague', null]);
    expect(both.creators(record, at + 3000)).toEqual([]);
    expect(both.creators(record, undefined)).toEqual([]);
  });
  it('is nobody of those who only changed something there, or made something elsewhere', () => {
    const others = eventLog(event('domain_record_update', '/v4/domains/5'), event('domain_record_create', '/v4/domains/6'));
    expect(others.creators(record, at)).toEqual([]);
  });
});
