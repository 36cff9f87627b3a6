import { endpointsOf } from '../account/endpoints.ts';
import type { Key } from '../../engine/ports/kubernetes.ts';
import { namesOf } from '../cluster/naming.ts';
import type { Answer, Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { shownText } from '../../engine/model/values.ts';
import type { ExportData } from '../output/account-shapes.ts';
import type { Entry } from '../plan/entries.ts';
import { look } from '../plan/bases/look.ts';
import { Known } from './known.ts';
import { refuseSkew, type Target, targetsOf } from '../plan/targets/targets.ts';
import { staleAdopt } from '../objects/stale-adopt.ts';
import { counted } from '../../lib/counted.ts';

/** How long reads of the account may take. */
const timeout = 120_000;

/** Whether what was exported is still what the account has: by a dry run of the API server and by the engine, as `plan` and `diff` are. */
export async function checked(call: Call, folder: string): Promise<Answer> {
  const { session, flags } = call;
  if (session.isAlone) throw new CliError(2, '--check asks the API server in a dry run: leave out --no-cluster');
  const { targets, brought } = await targetsOf({ ...call, args: [], flags: { ...flags, filename: folder, recursive: true } });
  if (targets.length === 0) throw new CliError(2, `nothing in ${folder} is a manifest of cloudhosting.dev`);
  await refuseSkew(call, targets);
  const connector = await session.host.openCloud(await endpointsOf(call), 'export');
  try {
    const { entries } = await look(call, targets, { connector, timeout, brought, until: session.now });
    const stale = new Map(targets.flatMap((target) => adoptsAnother(target)));
    const known = new Known(targets, entries);
    const unproven = entries.flatMap((entry) => {
      const why = whyNot(entry, known) ?? stale.get(nameOfEntry(entry));
      if (why === undefined) tellStalled(call, entry, known);
      return why === undefined ? [] : [{ kind: entry.kind, id: `${entry.namespace}/${entry.name}`, path: '', why }];
    });
    const data: ExportData = { to: folder, files: [], kinds: kindsOf(entries, unproven), unproven, skipped: [] };
    return { exit: unproven.length > 0 ? 1 : 0, kind: 'Export', data, lines: linesOf(data, entries.length) };
  } finally {
    connector.close();
  }
}

const nameOfEntry = ({ kind, namespace, name }: Pick<Entry, 'kind' | 'namespace' | 'name'>): string => `${kind} ${namespace}/${name}`;
/** Bound objects go on without what `spec.adopt` says; a cluster that is rebuilt from these files does not. */
function adoptsAnother(target: Target): readonly (readonly [string, string])[] {
  const stale = target.object === undefined ? undefined : staleAdopt(target.object);
  if (stale === undefined) return [];
  const { named, has } = stale;
  return [[nameOfEntry(target), `spec.adopt names ${named}, and it has ${has} by now: write spec.adopt.id: ${has}`]];
}

/** In the words of the operator where it knows more than a look of some seconds. */
function whyNot(entry: Entry, known: Known): string | undefined {
  const why = differs(entry);
  if (why === undefined) return undefined;
  const stalled = entry.changes.length === 0 ? undefined : known.stalled(entry);
  return known.gone(entry) ?? [why, stalled].filter((one) => one !== undefined).join('; ');
}

/** A status of before, or a token that sees less than that of this line. */
function tellStalled({ session }: Call, entry: Entry, known: Known): void {
  const stalled = known.stalled(entry)?.replace(': kubectl', ' all the same: kubectl');
  if (stalled !== undefined) session.warn(`${nameOfEntry(entry)} is as the account has it, and ${stalled}`);
}

/** Nothing may be left to do but to take over what is there. */
function differs({ action, changes, refusal, message, unknown = [] }: Entry): string | undefined {
  if (refusal !== undefined) return refusal.message;
  if (changes.length > 0)
    return changes.map(({ field, from, to }) => `spec.${field}: wrote ${shownText(to)}, the account has ${shownText(from)}`).join('; ');
  if (unknown.length > 0) return `not known: ${unknown.join('; ')}`;
  if (action === 'none' || action === 'adopt') return undefined;
  return message ?? `the operator would ${action} it`;
}

const kindsOf = (entries: readonly Entry[], unproven: ExportData['unproven']): ExportData['kinds'] =>
  [...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, those]) => ({
    kind,
    found: those.length,
    written: those.length - unproven.filter((one) => one.kind === kind).length,
  }));

const linesOf = ({ unproven, to }: ExportData, count: number): readonly string[] =>
  unproven.length === 0
    ? [count === 1 ? `The manifest in ${to} is as the account has it.` : `All ${count} manifests in ${to} are as the account has it.`]
    : [
        ...[...Map.groupBy(unproven, ({ why, kind, id }) => (why.startsWith('gone with ') ? why : `${kind} ${id}`)).values()].flatMap(
          groupLine,
        ),
        `${unproven.length} of ${counted(count, 'manifest')} in ${to} ${unproven.length === 1 ? 'differs' : 'differ'} from the account.`,
      ];

/** Those that went with one thing are one line. */
function groupLine(those: ExportData['unproven']): readonly string[] {
  const [first] = those;
  if (first === undefined) return [];
  if (those.length === 1) return [`${first.kind} ${first.id} differs: ${first.why}`];
  return [
    `${those.length} manifests differ: ${first.why}: ${namesOf(those.map(({ kind, id }) => ({ kind, metadata: keyIn(String(id)) })))}`,
  ];
}
function keyIn(id: string): Key {
  const [namespace = '', name = ''] = id.split('/');
  return { namespace, name };
}
