import type { ImportData } from '../output/account-shapes.ts';

/** What a person reads of it. */
export function reportOf(data: ImportData): string {
  const { state, written, left, notes, to } = data;
  const differ = written.flatMap(({ kind, name, differs }) =>
    differs === undefined ? [] : [`${kind} ${name}: the state differs, and the account is right: ${differs}`],
  );
  const merged = written.reduce((sum, { addresses }) => sum + addresses.length - 1, 0);
  const proven = written.filter((one) => one.proven).length;
  return [
    `State of lineage ${state.lineage}, serial ${state.serial}, Terraform ${state.terraform}: ${counted(state.instances, 'instance')} of provider linode.${state.others === 0 ? '' : ` ${counted(state.others, 'resource')} of other providers not looked at.`}`,
    `${counted(written.length, 'manifest')} in ${to}, ${proven} proven${merged > 0 ? `; ${counted(merged, 'resource')} more ${merged === 1 ? 'says' : 'say'} something of these` : ''}.`,
    ...differ,
    ...(differ.length > 0 ? ['Terraform would change this at its next apply: run terraform plan first.'] : []),
    ...left.map(({ address, why }) => `${address} stays in Terraform: ${why}`),
    ...notes.map(({ address, why }) => `${address}: ${why}`),
    ...secretLines(data),
    ...(written.length === 0 ? [] : [next(data)]),
  ].join('\n');
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

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

const next = ({ to }: ImportData): string =>
  `Next: kubectl apply -R -f ${to}, then kubectl cloud wait -R -f ${to} --for=Observed, then kubectl cloud plan -f ${to} -R. An object whose twin stays in a state has two owners: let Terraform forget it (--forget) before kubectl cloud export --promote ${to}`;
