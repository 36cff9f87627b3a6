import type { Leadership, Secrets } from '../../engine/ports/index.ts';
import { Sensitive } from '../../resource/index.ts';
import type { KubeClient } from '../http/client.ts';
import { type DataForm, KubeDataObjects } from './data-objects.ts';

const form: DataForm<Sensitive> = {
  kind: 'Secret',
  plural: 'secrets',
  more: { type: 'Opaque' },
  encode: (value) => Buffer.from(value.bytes()).toString('base64'),
  // A copy: a small buffer is a piece of one that others share, all of which it would keep in memory.
  decode: (base64) => new Sensitive(new Uint8Array(Buffer.from(base64, 'base64'))),
};

/** Secrets of the cluster; what they hold is revealed only into a request's body. */
export class KubeSecrets extends KubeDataObjects<Sensitive> implements Secrets {
  constructor(client: KubeClient, fieldManager: string, leadership?: Leadership) {
    super(form, client, fieldManager, leadership);
  }
}
