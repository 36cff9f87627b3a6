import type { Stage } from './stage.ts';

/** Has a volume give its path into a ConfigMap and a Secret, under one key and then under two; both follow. Answers the ConfigMap's data. */
export async function followOutputs(stage: Stage, volume: string): Promise<unknown> {
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
  const { stdout } = await stage.cluster.kubectl(['get', '-n', stage.namespace, 'configmap/volume-path', '-o', 'json']);
  return (JSON.parse(stdout) as { data: unknown }).data;
}
