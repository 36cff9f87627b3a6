import { shellWord } from '../../lib/shell-word.ts';
import { markerOf } from '../export/files/manifest.ts';
import type { Instance } from './state/state.ts';

const order = [
  'Only after the manifests are applied and observed (kubectl cloud wait -R -f FOLDER --for=Observed),',
  'and before management: Observe is taken out of them (kubectl cloud export --promote FOLDER):',
  'so nothing has two owners that both write, and nothing is without one.',
].map((line) => `# ${line}\n`);

/** What makes Terraform forget without destroying: a file for its configuration, and commands for single instances. */
export function forgetting(instances: readonly Instance[]): ReadonlyMap<'removed.tf' | 'forget.sh', string> {
  const whole = instances.flatMap(({ resource }) => resource ?? []).toSorted();
  const single = instances
    .filter(({ resource }) => resource === undefined)
    .map(({ address }) => address)
    .toSorted();
  const blocks = whole.map((from) => `\nremoved {\n  from = ${from}\n\n  lifecycle {\n    destroy = false\n  }\n}\n`);
  const lines = single.map((address) => `terraform state rm ${shellWord(address)}\n`);
  return new Map([
    [
      'removed.tf',
      [
        `${markerOf('import')}\n`,
        ...order,
        '# Put it beside the configuration, take the blocks of these resources out of that, and run terraform apply. Needs 1.7 or later.\n',
        ...blocks,
      ].join(''),
    ],
    [
      'forget.sh',
      [
        '#!/bin/sh\n',
        `${markerOf('import')}\n`,
        ...order,
        '# Instances of count and for_each, which no removed block can name. Take them out of the configuration first.\n',
        'set -eu\n\n',
        ...lines,
      ].join(''),
    ],
  ]);
}
