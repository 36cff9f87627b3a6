import type { RawObject } from './trim.ts';
import { watchError } from '../http/status-error.ts';

/** One line of a watch. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: RawObject }
  /** Nothing older than this version will come; `initial` ends the events that stand for the list. */
  | { readonly type: 'BOOKMARK'; readonly version: string; readonly initial: boolean };

interface Line {
  readonly type?: string;
  readonly object?: RawObject;
}

/** Throws the server's own error for an ERROR event; undefined for a line that is none of these. */
export function watchEvent(path: string, line: string): WatchEvent | undefined {
  const { type, object } = JSON.parse(line) as Line;
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object: object ?? {} };
    case 'BOOKMARK':
      return bookmark(object?.metadata);
    case 'ERROR':
      throw watchError(`watch of ${path}`, object);
    default:
      return undefined;
  }
}

const bookmark = (metadata: RawObject['metadata']): WatchEvent | undefined =>
  metadata?.resourceVersion === undefined
    ? undefined
    : { type: 'BOOKMARK', version: metadata.resourceVersion, initial: metadata.annotations?.['k8s.io/initial-events-end'] === 'true' };
