import { describe, expect, it } from 'vitest';
import { AuditLog } from '../../../src/telemetry/audit-log.ts';
import { Metrics } from '../../../src/telemetry/metrics.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const shown = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
const kind = 'CloudVolume';
const change = { kind, uid: 'a', effect: 'InPlace', cause: 'edit' };

it('counts changes by kind, effect and cause', async () => {
  const metrics = new Metrics({ version: '1', commit: 'a' }, new VirtualClock());
  metrics.changes.accepted(change);
  metrics.changes.accepted({ ...change, cause: 'drift' });
  metrics.changes.accepted(change);
  expect(await shown(metrics, 'cloud_operator_changes_total')).toEqual([
    'cloud_operator_changes_total{kind="CloudVolume",effect="InPlace",cause="edit"} 2',
    'cloud_operator_changes_total{kind="CloudVolume",effect="InPlace",cause="drift"} 1',
  ]);
});

it('measures from an edit to the first call for it, and from creation to the first Ready', async () => {
  const clock = new VirtualClock();
  const metrics = new Metrics({ version: '1', commit: 'a' }, clock);
  const creationTimestamp = new Date(clock.now()).toISOString();
  const object = (generation: number, ready?: string) => ({
    metadata: { namespace: 'shop', name: 'data', uid: 'a', generation, creationTimestamp },
    ...(ready !== undefined && { status: { conditions: [{ type: 'Ready', status: ready }] } }),
  });
  const step = async (was: object | undefined, is: object): Promise<void> => {
    metrics.changes.watched(kind, was as never, is as never);
    await clock.advance(4000);
  };
  await step(undefined, object(1));
  metrics.changes.changing(change);
  await step(object(1), object(1, 'False'));
  await step(object(1, 'False'), object(1, 'True'));
  await step(object(1, 'True'), object(2, 'True'));
  metrics.changes.changing({ ...change, cause: 'drift' });
  metrics.changes.changing(change);
  metrics.changes.changing(change);
  await step(object(2, 'True'), object(2, 'False'));
  await step(object(2, 'False'), object(2, 'True'));
  expect(await shown(metrics, 'cloud_operator_create_to_ready_seconds_')).toEqual(
    expect.arrayContaining([
      'cloud_operator_create_to_ready_seconds_sum{kind="CloudVolume"} 8',
      'cloud_operator_create_to_ready_seconds_count{kind="CloudVolume"} 1',
    ]),
  );
  expect(await shown(metrics, 'cloud_operator_edit_to_call_seconds_')).toEqual(
    expect.arrayContaining([
      'cloud_operator_edit_to_call_seconds_sum{kind="CloudVolume"} 4',
      'cloud_operator_edit_to_call_seconds_count{kind="CloudVolume"} 1',
    ]),
  );
});

it('does not take an object that was there before for a new one', async () => {
  const metrics = new Metrics({ version: '1', commit: 'a' }, new VirtualClock());
  const metadata = { namespace: 'shop', name: 'data', uid: 'a', generation: 1, creationTimestamp: '2020-01-01T00:00:00Z' };
  metrics.changes.watched(kind, undefined, { metadata, status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  expect(await shown(metrics, 'cloud_operator_create_to_ready_seconds_count')).toEqual([]);
});

const key = { namespace: 'shop', name: 'data' };
const metadata = { ...key, uid: 'a', generation: 1, creationTimestamp: '2020-01-01T00:00:00Z' };
const object = (ready: string, reconciling: string) => {
  const conditions = [
    { type: 'Ready', status: ready },
    { type: 'Reconciling', status: reconciling },
  ];
  return { metadata, status: { conditions } };
};
const measured = async (play: (metrics: Metrics, wait: (ms: number) => Promise<void>) => Promise<void>): Promise<string[]> => {
  const clock = new VirtualClock();
  const metrics = new Metrics({ version: '1', commit: 'a' }, clock);
  await play(metrics, (ms) => clock.advance(ms));
  return (await shown(metrics, 'cloud_operator_job_end_to_ready_seconds_')).filter((line) => !line.includes('_bucket'));
};
const times = (count: number, sum: number): readonly string[] => [
  `cloud_operator_job_end_to_ready_seconds_sum{kind="CloudVolume"} ${sum}`,
  `cloud_operator_job_end_to_ready_seconds_count{kind="CloudVolume"} ${count}`,
];

describe('the time from the end of a job to Ready', () => {
  it.each([
    ['is not ready', object('False', 'True')],
    ['is ready, and being changed', object('True', 'True')],
    ['has no conditions yet', { metadata }],
  ])('begins with the last one while it %s', async (_, waiting) => {
    const lines = await measured(async ({ changes }, wait) => {
      changes.watched(kind, undefined, waiting);
      changes.jobEnded(kind, key, 0);
      await wait(60_000);
      changes.jobEnded(kind, key, 2000);
      changes.watched(kind, waiting, waiting);
      await wait(3000);
      changes.watched(kind, waiting, object('True', 'False'));
      changes.watched(kind, object('True', 'False'), waiting);
      changes.watched(kind, waiting, object('True', 'False'));
    });
    expect(lines).toEqual(times(1, 5));
  });
  it('is not measured where nobody waits, of another object, or after it went', async () => {
    const lines = await measured(async ({ changes }, wait) => {
      changes.watched(kind, undefined, object('True', 'False'));
      changes.jobEnded(kind, key, 0);
      await wait(1000);
      changes.watched(kind, object('True', 'False'), object('False', 'True'));
      changes.jobEnded(kind, { ...key, name: 'other' }, 0);
      changes.watched(kind, object('False', 'True'), object('True', 'False'));
      changes.watched(kind, object('True', 'False'), object('False', 'True'));
      changes.jobEnded(kind, key, 0);
      changes.watched(kind, object('False', 'True'), undefined);
      changes.watched(kind, undefined, object('True', 'False'));
    });
    expect(lines).toEqual([]);
  });
});

it('writes two lines per call into the audit log, tied by an id that no other process has', () => {
  const lines: string[] = [];
  const log = new AuditLog(
    'operator-1',
    (line) => void lines.push(line),
    () => new Date(0),
  );
  const [first, second] = [
    { ...change, path: '/volumes/1' },
    { ...change, path: '/volumes/2', askedBy: 'token=abcdefgh' },
  ];
  log.sent(first);
  log.sent(second);
  log.answered(first, 'Accepted');
  expect(lines.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { time: '1970-01-01T00:00:00.000Z', audit: 'sent', id: 'operator-1-1', ...first },
    { time: '1970-01-01T00:00:00.000Z', audit: 'sent', id: 'operator-1-2', ...second, askedBy: 'token=[redacted]' },
    { time: '1970-01-01T00:00:00.000Z', audit: 'answered', id: 'operator-1-1', outcome: 'Accepted', ...first },
  ]);
});
