import { child, isObject, list, text } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * Takes out of answers what differs from run to run: uids and resource versions become numbers in order of appearance,
 * so that it still shows whether two are the same. The versions of lists depend on what else goes on in the cluster.
 */
export class Normaliser {
  readonly #namespace: string;
  readonly #seen = new Map<string, string>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  answer(status: number, body: string, contentType: string): Answer {
    if (!contentType.includes('json')) return { status, body: body.trim() };
    if (body.startsWith('{"type":')) return { status, body: this.#events(body.trim().split('\n')) };
    return { status, body: body === '' ? '' : this.#value('', JSON.parse(body)) };
  }

  /** Plain bookmarks come when the server likes, with whatever version it has then. */
  #events(lines: readonly string[]): unknown[] {
    const events = lines.map((line) => JSON.parse(line) as JsonObject);
    return events.flatMap((event) => {
      if (event['type'] !== 'BOOKMARK') return [this.#value('', event)];
      const { annotations } = child(child(event, 'object'), 'metadata');
      return annotations ? [{ type: 'BOOKMARK', annotations }] : [];
    });
  }

  #value(key: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value('', item));
    if (typeof value === 'string') return this.#string(key, value);
    if (!isObject(value)) return value;
    return value['kind'] === 'Status' ? this.#status(value) : this.#object(value);
  }

  #object(value: JsonObject): JsonObject {
    const result: JsonObject = {};
    const isList = text(value['kind']).endsWith('List');
    for (const key of Object.keys(value).toSorted()) {
      if (isList && key === 'metadata')
        result[key] = { ...this.#object({ ...child(value, key), resourceVersion: '' }), resourceVersion: '<now>' };
      else if (key !== 'managedFields' && key !== 'storageVersionHash') result[key] = this.#value(key, value[key]);
    }
    return result;
  }

  /** Causes come in any order and sometimes twice; the message repeats them. */
  #status(status: JsonObject): JsonObject {
    const result = this.#object(status);
    const details = child(status, 'details');
    const causes = list(details['causes']).map((cause) => JSON.stringify(this.#value('', cause)));
    if (causes.length === 0) return result;
    result['details'] = {
      ...child(result, 'details'),
      causes: [...new Set(causes)].toSorted().map((cause) => JSON.parse(cause) as unknown),
    };
    result['message'] = this.#string('message', text(status['message']).replace(/ is invalid: .*/s, ' is invalid: ...'));
    return result;
  }

  #string(key: string, value: string): string {
    if (key === 'resourceVersion') return value === '' ? '' : this.#known('version', value);
    if (key === 'continue' && value !== '') return '<continue>';
    if (TIME.test(value) && /Time(stamp)?$/.test(key) && key !== 'firstTimestamp' && key !== 'lastTimestamp') return '<time>';
    return value
      .replaceAll(UID, (uid) => this.#known('uid', uid))
      .replaceAll(this.#namespace, '<ns>')
      .replace(/resource version: (\d+) \(\d+\)/, 'resource version: $1 (<version>)')
      .replace(/current: \d+/, 'current: <version>')
      .replace(/in record \(\d+\)/, 'in record (<version>)')
      .replace(/^(gen-)[a-z0-9]{5}$/, '$1<suffix>');
  }

  #known(what: string, value: string): string {
    const key = `${what} ${value}`;
    let name = this.#seen.get(key);
    if (!name) {
      const count = [...this.#seen.keys()].filter((one) => one.startsWith(what)).length;
      this.#seen.set(key, (name = `<${what} ${count + 1}>`));
    }
    return name;
  }
}
