import { createHash } from 'node:crypto';
import type { Recorder, Resource } from '../engine/ports.ts';
import { cut } from '../lib/cut.ts';
import type { Millis } from '../lib/clock.ts';
import { group, version } from './api-group.ts';
import { microTime } from './lease-record.ts';

export type Happening = Parameters<Recorder['event']>[1];

/** The same thing happening to the same object again and again: one Event that counts. */
export interface EventSeries {
  readonly about: Resource;
  readonly happening: Happening;
  readonly name: string;
  /** Wall clock. */
  readonly first: Millis;
  last: Millis;
  /** Monotonic, of `last`. */
  seenAt: Millis;
  count: number;
  /** What the server has; 0: nothing yet. */
  written: number;
}

export const seriesKey = ({ metadata }: Resource, { type, reason, message }: Happening): string =>
  [metadata.uid, type, reason, message].join('\n');

export function newSeries(about: Resource, happening: Happening, now: { readonly wall: Millis; readonly monotonic: Millis }): EventSeries {
  const hash = createHash('sha256')
    .update(`${seriesKey(about, happening)}\n${now.wall}`)
    .digest('hex')
    .slice(0, 16);
  const name = `${about.metadata.name.slice(0, 230)}.${hash}`;
  return { about, happening, name, first: now.wall, last: now.wall, seenAt: now.monotonic, count: 1, written: 0 };
}

export function eventBody(series: EventSeries, reporter: { readonly controller: string; readonly instance: string }): object {
  const { about, happening } = series;
  const { namespace, name, uid, resourceVersion } = about.metadata;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: series.name, namespace },
    eventTime: microTime(series.first),
    ...seriesBody(series),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance.slice(0, 128),
    action: 'Reconcile',
    reason: happening.reason.slice(0, 128),
    type: happening.type,
    note: cut(happening.message, 1_024),
    regarding: { apiVersion: `${group}/${version}`, kind: about.kind, namespace, name, uid, resourceVersion },
  };
}

/** The API takes a series from the second time on. */
export const seriesBody = ({ count, last }: EventSeries): object =>
  count < 2 ? {} : { series: { count, lastObservedTime: microTime(last) } };
