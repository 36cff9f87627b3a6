import { findGoTool, type GoTool } from './go-tool.ts';
import type { Machine } from './machine.ts';
import { pinned } from './pinned.ts';

const helm: GoTool = {
  name: 'helm',
  wanted: 'Helm 3 or later',
  version: pinned.helm,
  source: 'helm.sh/helm/v4/cmd/helm',
  ask: ['version', '--short'],
  major: 3,
  page: 'https://helm.sh/docs/intro/install',
  minutes: 3,
};

export const findHelm = (machine: Machine, options: { readonly build?: boolean } = {}): Promise<string> =>
  findGoTool(helm, machine, options);
