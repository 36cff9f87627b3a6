import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { runCommand } from '../../controlplane/command.ts';
import { findHelm } from '../../controlplane/programs/helm.ts';
import { thisMachine } from '../../controlplane/programs/machine.ts';

export interface RenderedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly [key: string]: unknown;
}
/** Values as `helm --values` takes them. */
export type Values = Readonly<Record<string, unknown>>;

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Where Helm would put the chart. The name contains `cloud-operator`, so that the chart calls all its objects after it. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
}
export const releaseName = 'cloud-operator';
export const releaseNamespace = 'cloud-operator';
export const defaultRelease: Release = { name: releaseName, namespace: releaseNamespace };

/** The chart as Helm renders it. Rejects with Helm's own words when it refuses the values. */
export async function renderChart(
  values: Values,
  release: Release = defaultRelease,
  more: readonly string[] = [],
): Promise<readonly RenderedObject[]> {
  const helm = await findHelm(thisMachine(() => undefined));
  const args = ['template', release.name, `${root}/charts/cloud-operator`, '--namespace', release.namespace, '--values', '-', ...more];
  const { code, stdout, stderr } = await runCommand(helm, args, { input: JSON.stringify(values) });
  if (code !== 0) throw new Error(stderr);
  return documents(stdout);
}

/** Every object of a YAML stream, in its order. */
export const documents = (text: string): readonly RenderedObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as RenderedObject | null)
    .filter((object) => object !== null);

/** The one object of this kind and name; throws when it is not there. */
export function only(objects: readonly RenderedObject[], kind: string, name: string = releaseName): RenderedObject {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  const [object] = found;
  if (object === undefined || found.length > 1) throw new Error(`${found.length} objects ${kind}/${name} instead of one`);
  return object;
}
