import { shellWord } from '../../lib/shell-word.ts';
import { markerOf } from '../export/files/manifest.ts';
import type { Instance } from './state/state.ts';

const order = [
  'Only after the manifests are applied and observed (kubectl cloud wait -R -f FOLDER --for=Observed),',
  'and before management: Observe is taken out of them (kubectl cloud export --promote FOLDER):',
  'so nothing has two owners that both write, and nothing is without one.',
].map((line) => `# ${line}\n`);

/** Whether there is anything to do in one of these files. */
export const isForgetting = (text: string): boolean => /^(?:removed \{|terraform state rm )/m.test(text);

/** It is written all the same, over one of an earlier line. */
const nothingHere = (what: string, other: string, there: readonly string[]): string =>
  `# Nothing is to be done here: there is no ${what}.${there.length === 0 ? '' : ` ${other} has all that is to be forgotten.`}\n`;

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
        ...(blocks.length === 0 ? [nothingHere('resource that is imported whole', 'forget.sh', lines)] : blocks),
      ].join(''),
    ],
    [
      'forget.sh',
      [
        '#!/bin/sh\n',
        `${markerOf('import')}\n`,
        ...order,
        '# Instances of count and for_each, which no removed block can name. Take them out of the configuration first.\n',
        ...(lines.length === 0
          ? [nothingHere('instance of count or for_each that is imported', 'removed.tf', blocks)]
          : ['set -eu\n\n', ...lines]),
      ].join(''),
    ],
  ]);
}
