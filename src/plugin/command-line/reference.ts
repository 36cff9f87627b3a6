import * as z from 'zod';
import { detailsOf } from './help.ts';
import type { Command } from './command.ts';
import { commands } from '../commands.ts';
import { exits } from '../exit.ts';
import { clusterFlags } from './flags.ts';
import { groups } from './groups.ts';
import { accountEvent, waitStep } from '../output/line-shapes.ts';
import { envelopeOf, type Kind, shapes } from '../output/shapes.ts';

/** Files of folder `plugin`: what every verb does, and the JSON Schema of what it writes. */
export const pluginPages = (header: string): ReadonlyMap<string, string> =>
  new Map([
    ['plugin/README.md', page(header)],
    ['plugin/output.schema.json', schema()],
  ]);

const page = (header: string): string =>
  `${[
    `<!-- ${header.replace('src/kinds', 'src/plugin/commands.ts')} -->`,
    '# kubectl cloud',
    introduction,
    '## Verbs',
    ...Object.entries(groups).map(([heading, verbs]) => [`${heading}:`, '', ...verbs.map(listed)].join('\n')),
    '## Exit codes',
    Object.entries(exits)
      .map(([code, means]) => `- \`${code}\`: ${means}`)
      .join('\n'),
    '## Flags of every verb that talks to a cluster',
    ['```text', ...flagLines(clusterFlags), '```'].join('\n'),
    ...Object.values(groups).flat().map(calledSo).map(chapter),
  ].join('\n\n')}\n`;

function calledSo(verb: string): Command {
  const command = commands.find(({ name }) => name === verb);
  if (command === undefined) throw new Error(`groups.ts has ${verb}, which is no verb`);
  return command;
}
const listed = (verb: string): string => `- [${verb}](#${verb}): ${calledSo(verb).does}`;

const introduction = `\`kubectl cloud VERB [KIND/NAME ...] [flags]\`. KIND is a kind, its plural, its short name, or either with \`.cloudhosting.dev\`; a name alone is taken where it fits exactly one object. The examples take the namespace of your context; \`-n shop\` names another. \`npm run build\` writes the program: \`dist/kubectl-cloud\`, one file that needs Node.js 22.19 or later. Put it into \`PATH\` under this name, with the \`package.json\` beside it where a folder above says \`"type": "module"\`.

It has your own rights in the cluster and nothing more: it reads objects, writes annotations, and makes objects of what is done once. What talks to the cloud account says so. Most verbs only read there; those that change it take your own token, ask first, and never send anything twice by themselves. Data goes to standard output, talk to standard error; times are UTC. \`-o json\` writes one object, described by [output.schema.json](output.schema.json), in which fields are only ever added.`;

const chapter = (command: Command): string =>
  [
    `## ${command.name}`,
    `\`kubectl cloud ${[command.name, command.args].filter(Boolean).join(' ')}\``,
    `${command.does} ${command.details}`,
    ['```text', ...flagLines(ownFlags(command)), '', detailsOf(command), '```'].join('\n').replace('```text\n\n', '```text\n'),
  ].join('\n\n');

const ownFlags = ({ flags }: Command): Command['flags'] => flags.filter((flag) => !clusterFlags.includes(flag));
const flagLines = (flags: Command['flags']): readonly string[] =>
  flags.map((flag) => `${flag.form.padEnd(34)} ${flag.help}${choicesOf(flag)}`);

const choicesOf = ({ choices, default: byDefault }: Command['flags'][number]): string =>
  `${choices === undefined ? '' : ` One of: ${choices.join(', ')}.`}${byDefault === undefined ? '' : ` Default: ${byDefault}.`}`;

function schema(): string {
  const all = Object.keys(shapes).map((kind) => envelopeOf(kind as Kind));
  return `${JSON.stringify(z.toJSONSchema(z.union([...all, waitStep, accountEvent])), undefined, 2)}\n`;
}
