import { describe, expect, it } from 'vitest';
import { eventRules } from '../../../src/cloud/events/event-rules.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import { eventOf, type EventRecord } from '../../../src/cloud/events/event-record.ts';
import { EventLog } from '../../../src/cloud/events/event-log.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

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

describe('who made a thing', () => {
  const at = Date.parse('2026-01-01T00:00:00Z');
  const record = '/domains/5/records/7';
  it('is whoever the event of its creation names, at any time', () =>
    expect(eventLog(event('domain_create', '/v4/domains/5')).creators('/domains/5', undefined)).toEqual(['colleague']));
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
