import { createHash } from 'node:crypto';
import type { Recorder, Resource } from '../../engine/ports/index.ts';
import { cut } from '../../lib/cut.ts';
import type { Millis } from '../../lib/clock.ts';
import { oneLine } from '../../lib/one-line.ts';
import { group, version } from '../api-group.ts';
import { microTime } from '../leases/lease-record.ts';

export type Happening = Parameters<Recorder['event']>[1];

/** What an Event is about; not the object itself, of which every version would be kept for as long as its series. */
interface Subject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** The same thing happening to the same object again and again: one Event that counts. */
export interface EventSeries {
  readonly about: Subject;
  readonly happening: Happening;
  readonly name: string;
  /** Wall clock. */
  readonly first: Millis;
  last: Millis;
  count: number;
  /** What the server has; 0: nothing yet. */
  written: number;
}

export const seriesKey = ({ metadata }: Resource, { type, reason, message }: Happening): string =>
  [metadata.uid, type, reason, message].join('\n');

export function newSeries(object: Resource, happening: Happening, now: Millis): EventSeries {
  const hash = createHash('sha256')
    .update(`${seriesKey(object, happening)}\n${now}`)
    .digest('hex')
    .slice(0, 16);
  const { namespace, name, uid, resourceVersion } = object.metadata;
  const about = { kind: object.kind, namespace, name, uid, resourceVersion };
  return { about, happening, name: `${name.slice(0, 230)}.${hash}`, first: now, last: now, count: 1, written: 0 };
}

export function eventBody(series: EventSeries, reporter: { readonly controller: string; readonly instance: string }): object {
  const { about, happening } = series;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: series.name, namespace: about.namespace },
    eventTime: microTime(series.first),
    ...seriesBody(series),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance.slice(0, 128),
    action: 'Reconcile',
    reason: happening.reason.slice(0, 128),
    type: happening.type,
    note: cut(oneLine(happening.message), 1_024),
    regarding: { apiVersion: `${group}/${version}`, ...about },
  };
}

/** The API takes a series from the second time on. */
export const seriesBody = ({ count, last }: EventSeries): object =>
  count < 2 ? {} : { series: { count, lastObservedTime: microTime(last) } };
