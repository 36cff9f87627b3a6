import type { Stage } from './stage.ts';

/** Has a volume give its path into a ConfigMap and a Secret, under one key and then under two, and sees both follow. */
export async function followOutputs(stage: Stage, volume: string): Promise<void> {
  const keys: Record<string, string> = {};
  for (const key of ['FIRST', 'SECOND']) {
    keys[key] = 'device-path';
    const outputs = [
      { configMapName: 'volume-path', keys },
      { secretName: 'volume-path', keys },
    ];
    await stage.patch('CloudVolume', volume, { spec: { outputs } });
    for (const target of ['configmap/volume-path', 'secret/volume-path'])
      for (const what of ['create', `jsonpath={.data.${key}}`])
        await stage.cluster.kubectl(['wait', '-n', stage.namespace, `--for=${what}`, target, '--timeout=60s']);
  }
  await stage.ready('CloudVolume', volume);
}
