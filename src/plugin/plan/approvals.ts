import { group, version } from '../../generate/names.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { yamlOf } from '../output/yaml.ts';
import { type Entry, yesTo } from './entries.ts';
import { counted } from '../../lib/counted.ts';

const marker = '# Written by kubectl cloud plan --approvals.';

/** Writes what approves the changes of a plan, to be committed with them: a component that kustomize adds to the manifests. */
export async function writeApprovals({ session, flags }: Call, entries: readonly Entry[]): Promise<void> {
  const file = text(flags, 'approvals');
  if (file === undefined) return;
  const before = await session.host.fileText(file);
  if (before !== undefined && !before.startsWith(marker))
    throw new CliError(3, `${file} is there, was not written by plan --approvals, and is not overwritten: name another file`);
  const approved = entries.flatMap((entry) => (entry.approval === undefined ? [] : [{ ...entry, approval: entry.approval }]));
  for (const entry of entries.filter(({ needsApproval, approval }) => needsApproval && approval === undefined)) {
    const why = whyNot(entry);
    session.warn(
      `${entry.kind} ${entry.namespace}/${entry.name} cannot be approved with the change, because ${why}: kubectl cloud ${yesTo(entry)}, once it is applied`,
    );
  }
  const shared = new Set(approved.filter((one) => approved.some((other) => isNamesake(one, other))));
  const patches = approved.map((entry) => patchOf(entry, shared.has(entry)));
  await session.host.writeFile(file, `${marker} Each approves one change, once, and does nothing after it.\n${componentOf(patches)}`);
  session.say(
    `${file} approves ${patches.length} of ${counted(entries.length, 'object')}. Its folder belongs into "components" of the kustomization, once`,
  );
}

function whyNot(entry: Entry): string {
  if (yesTo(entry) === 'confirm' || entry.action === 'adopt') return 'it asks once it is there';
  return entry.unknown === undefined ? 'a secret is part of it' : 'what the account has by now is not known';
}

const isNamesake = (one: Entry, other: Entry): boolean =>
  one.kind === other.kind && one.name === other.name && one.namespace !== other.namespace;

/** In another namespace only where that tells it from another: kustomize may set the namespace after it was patched. */
function patchOf({ kind, namespace, name, approval }: Entry & { approval: NonNullable<Entry['approval']> }, isShared: boolean): object {
  return {
    target: { group, kind, name: name.replaceAll('.', '\\.'), ...(isShared && { namespace }) },
    patch: JSON.stringify({
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name, annotations: { [approval.annotation]: approval.value } },
    }),
  };
}

const componentOf = (patches: readonly object[]): string =>
  yamlOf({ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', patches });
