import { oneLine } from '../../lib/one-line.ts';
import { headOf } from '../export/files/manifest.ts';
import { stepsOf } from '../export/files/report.ts';
import type { ImportData } from '../output/account-shapes.ts';
import { counted } from '../../lib/counted.ts';

interface Asked {
  readonly prefersState: boolean;
  readonly kustomization: boolean;
  /** Files that make Terraform forget, as far as anything is in them; undefined: none was asked for. */
  readonly forgetting: readonly string[] | undefined;
}

/** What a person reads of it. */
export const reportOf = (data: ImportData, asked: Asked): readonly string[] => [
  ...lines(data, asked),
  ...(data.written.length === 0 ? [] : next(data, asked)),
];

/** The same for who reads the folder later. */
export const reportMarkdown = (data: ImportData, asked: Asked): string =>
  [headOf('import'), '# What was imported', '', ...lines(data, asked).map((line) => `- ${oneLine(line)}`), ''].join('\n');

/** A state need not say where it is from. */
function originOf({ lineage, serial, terraform, isShown = false }: ImportData['state']): string {
  const of = isShown ? 'as terraform show writes it' : lineage === '' ? 'without a lineage' : `of lineage ${lineage}, serial ${serial}`;
  return `State ${of}, ${terraform === '' ? 'of a Terraform that it does not name' : `Terraform ${terraform}`}`;
}

/** What a person reads where there is nothing of the provider in the state. */
export function nothingIn({ state }: ImportData): string {
  const others = state.others === 0 ? '' : `, only ${counted(state.others, 'resource')} of other providers`;
  return `${originOf(state)}: nothing of provider linode is in it${others}. Nothing is imported, and no file was written. Where you miss something, look whether it is the state of another workspace or folder: terraform workspace list, terraform state list`;
}

function lines(data: ImportData, asked: Asked): readonly string[] {
  const { state, written, left, notes, to, needed } = data;
  const merged = written.reduce((sum, { addresses }) => sum + addresses.length - 1, 0);
  const proven = written.filter((one) => one.proven).length;
  return [
    `${originOf(state)}: ${counted(state.instances, 'resource instance')} of provider linode.${state.others === 0 ? '' : ` ${counted(state.others, 'resource')} of other providers not looked at.`}`,
    `${counted(written.length, 'manifest')} in ${to}, ${proven} proven${merged > 0 ? `; ${counted(merged, 'resource')} more ${merged === 1 ? 'says' : 'say'} something of these` : ''}.`,
    ...differing(data, asked),
    ...left.map(({ address, why }) => `${address} stays in Terraform: ${why}`),
    ...[...Map.groupBy(notes, ({ why }) => why)].map(([why, of]) => `${of.map(({ address }) => address).join(', ')}: ${why}`),
    ...secretLines(data),
    ...(needed.length === 0
      ? []
      : [`${counted(needed.length, 'Secret')} ${needed.length === 1 ? 'is' : 'are'} needed: SECRETS.md lists them.`]),
  ];
}

function differing({ written }: ImportData, { prefersState }: Asked): readonly string[] {
  const all = written.flatMap(({ kind, name, differs, proven }) =>
    differs === undefined ? [] : [{ of: `${kind} ${name}`, differs, proven }],
  );
  if (all.length === 0) return [];
  return [
    ...all.map(({ of, differs, proven }) =>
      proven || !prefersState
        ? `${of}: the state differs, and the account is right: ${differs}`
        : `${of}: the account differs, and the state is written: ${differs}. The operator sets that right once it manages it`,
    ),
    'Terraform would change this at its next apply: run terraform plan first.',
  ];
}

function secretLines({ secrets, rotate }: ImportData): readonly string[] {
  const values = secrets.length + rotate.length;
  if (values === 0) return [];
  const exposed = [...new Set([...rotate, ...secrets.filter(({ attribute }) => credentials.has(attribute)).map(({ address }) => address)])];
  const advice = exposed.length === 0 ? '' : ` Whoever reads the state has those of ${exposed.join(', ')}: rotate them.`;
  return [
    `${counted(values, 'value')} of the state ${values === 1 ? 'is' : 'are'} sensitive and ${values === 1 ? 'was' : 'were'} not written.${advice}`,
  ];
}
/** What opens something as long as it is not renewed. */
const credentials = new Set(['access_key', 'secret_key', 'kubeconfig', 'root_password']);

function next({ to }: ImportData, { kustomization, forgetting }: Asked): readonly string[] {
  const how =
    forgetting === undefined
      ? ' (--forget FOLDER writes what makes it)'
      : `, by ${forgetting.join(' and ')}, as ${forgetting.length > 1 ? 'they say at their heads' : 'it says at its head'}`;
  const { apply, waitObserved, compare, promote } = stepsOf(to, kustomization);
  const letGo =
    forgetting?.length === 0
      ? '  Terraform is to forget nothing: all of this is also said to stay in it, and an object whose twin stays in a state has two owners'
      : `  Then let Terraform forget it${how}: an object whose twin stays in a state has two owners`;
  return ['Next, in this order:', ...apply, ...waitObserved, ...compare, letGo, ...promote, ...apply];
}
