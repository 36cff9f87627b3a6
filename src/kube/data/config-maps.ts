import type { ConfigMaps, Leadership } from '../../engine/ports/index.ts';
import type { KubeClient } from '../http/client.ts';
import { type DataForm, KubeDataObjects } from './data-objects.ts';

const form: DataForm<string> = { kind: 'ConfigMap', plural: 'configmaps', encode: (text) => text, decode: (text) => text };

/** ConfigMaps of the cluster, their text as it is. */
export class KubeConfigMaps extends KubeDataObjects<string> implements ConfigMaps {
  constructor(client: KubeClient, fieldManager: string, leadership?: Leadership) {
    super(form, client, fieldManager, leadership);
  }
}
