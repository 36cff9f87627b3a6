import { readConfig } from '../../../src/config.ts';
import { only, type RenderedObject, type Values } from './rendered-chart.ts';

interface Pod {
  readonly containers: readonly [{ readonly args: readonly string[]; readonly env: readonly { name: string; value?: string }[] } & Values];
  readonly volumes: readonly unknown[];
  readonly [key: string]: unknown;
}
/** The pods' spec. */
export const podOf = (objects: readonly RenderedObject[]): Pod =>
  (only(objects, 'Deployment')['spec'] as { template: { spec: Pod } }).template.spec;
/** The operator's flags as it reads them; refused where the chart writes one that it does not know. */
export const configOf = (objects: readonly RenderedObject[]) => {
  const [command, ...flags] = podOf(objects).containers[0].args;
  if (command !== 'run') throw new Error(`the chart starts ${command}`);
  return readConfig(flags, {});
};
export const rulesOf = (object: RenderedObject): string => JSON.stringify(object['rules']);
