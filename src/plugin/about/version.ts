import { accountApi, buildOf, oldestKubernetes } from '../build.ts';
import type { Verb } from '../command-line/command.ts';
import { on } from '../command-line/flag.ts';
import type { CrdState, VersionData } from '../output/shapes.ts';
import { table } from '../output/table.ts';

/** The plugin, the operators that may be seen, and whether the CRDs are of this release. */
export const version: Verb = async ({ session, flags }) => {
  const plugin = buildOf();
  const lines = [`kubectl-cloud ${plugin.version}, Node.js ${plugin.node}`, `API of accounts: written after release ${accountApi}.`];
  if (on(flags, 'client')) return { exit: 0, kind: 'Version', data: { plugin, accountApi } satisfies VersionData, lines };
  const { crdStates, operatorsOf, unprovenText, serverVersion } = await import('../cluster/installed.ts');
  const reader = await session.reader();
  const [crds, { operators, unproven }, kubernetes] = await Promise.all([crdStates(reader), operatorsOf(reader), serverVersion(reader)]);
  const data: VersionData = { plugin, accountApi, crds: [...crds], operators, ...(kubernetes !== undefined && { kubernetes }) };
  const said = operators.length === 0 ? ['No operator to be seen: none is installed by the chart, or you may not list Deployments.'] : [];
  const beside = unproven.length === 0 ? [] : [`Deployments ${unprovenText(unproven)}.`];
  const shown = [
    ...(operators.length === 0
      ? []
      : [
          ...table(
            ['OPERATOR', 'VERSION', 'READY', 'IMAGE'],
            operators.map((one) => [one.name, one.version, one.ready, one.image]),
          ),
          '',
        ]),
    ...table(
      ['CRD', 'SCHEMA'],
      crds.map((crd) => [crd.name, crdTexts[crd.state]]),
    ),
  ];
  return { exit: 0, kind: 'Version', data, lines: [...lines, kubernetesLine(kubernetes), ...said, ...beside, '', ...shown] };
};

const kubernetesLine = (kubernetes: VersionData['kubernetes']): string => {
  if (kubernetes === undefined) return 'The API server does not tell its version.';
  const { version: its, supported } = kubernetes;
  return `Kubernetes ${its}: ${supported ? 'supported' : 'older than what operator and plugin are tried with'}, as ${oldestKubernetes} and later are.`;
};

const crdTexts: Readonly<Record<CrdState['state'], string>> = {
  same: 'of this release',
  differs: 'of another release: the operator of that release knows fields that this plugin does not, or the reverse',
  leaving: 'being removed',
  unseen: 'not installed, or you may not read it',
};
