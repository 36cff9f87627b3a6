import type { Cluster } from '../../controlplane/cluster.ts';
import { freePort } from '../../controlplane/free-port.ts';
import { Program } from './program.ts';
import { defaultRelease, only, renderChart, type Release, type RenderedObject, type Values } from './rendered-chart.ts';

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}
/** The chart as it stands in the cluster. */
export interface Installed {
  readonly release: Release;
  readonly objects: readonly RenderedObject[];
  readonly container: Container;
}
export interface OperatorProgram {
  readonly program: Program;
  readonly metricsUrl: string;
  readonly healthUrl: string;
}
export interface OperatorProgramOptions {
  readonly folder: string;
  /** After those of the chart. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly detached?: boolean;
  /** False: on any ports, which nobody is told; a port that was free a moment ago may be taken at the start. */
  readonly asked?: boolean;
  /** Default `dist/cloud-operator.mjs`, which `npm run build` makes. */
  readonly script?: string;
  /** Of the log file and of the process in messages; default `operator`. */
  readonly name?: string;
}

/** Nothing renews its token as the kubelet would: what goes on when a test is over is looked at tomorrow, too. In seconds. */
const [anHour, aYear] = [3600, 365 * 86_400];

const apply = (cluster: Cluster, objects: readonly RenderedObject[]) =>
  cluster.kubectl(['apply', '--server-side', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) });

/** Applies all that the chart renders but the Deployment, whose place a process of ours takes; resolves when the CRDs are served. */
export async function installChart(cluster: Cluster, values: Values, release: Release = defaultRelease): Promise<Installed> {
  const objects = await renderChart(values, release);
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: release.namespace } };
  await apply(cluster, [namespace, ...crds]);
  const rest = objects.filter(({ kind }) => kind !== 'CustomResourceDefinition' && kind !== 'Deployment');
  await apply(cluster, rest);
  await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...crds.map(({ metadata }) => `crd/${metadata.name}`)]);
  const pod = only(objects, 'Deployment', release.name)['spec'] as { template: { spec: { containers: readonly [Container] } } };
  return { release, objects, container: pod.template.spec.containers[0] };
}

/** The built operator as the chart's pod would run it: its arguments, its environment, its ServiceAccount and nothing more. */
export async function startOperator(
  cluster: Cluster,
  { container, release }: Installed,
  options: OperatorProgramOptions,
): Promise<OperatorProgram> {
  const { folder, flags = [], env = {}, detached = false, asked = true, script = 'dist/cloud-operator.mjs', name = 'operator' } = options;
  const token = await cluster.serviceAccountToken(release.namespace, release.name, detached ? aYear : anHour);
  const address = async (): Promise<string> => `127.0.0.1:${asked ? await freePort() : 0}`;
  const [metrics, health] = [await address(), await address()];
  const own = container.env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
  const program = new Program({
    name,
    script: [script, ...container.args, `--metrics-address=${metrics}`, `--health-address=${health}`, ...flags],
    folder,
    detached,
    env: { ...Object.fromEntries(own), POD_NAMESPACE: release.namespace, KUBECONFIG: await cluster.kubeconfigFor(token), ...env },
  });
  return { program, metricsUrl: `http://${metrics}/metrics`, healthUrl: `http://${health}` };
}
