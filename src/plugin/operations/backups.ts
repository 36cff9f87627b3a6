import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Call } from '../command-line/command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { table } from '../output/table.ts';
import { sameLine } from '../command-line/same-line.ts';
import { actionsOf, operationKind } from './chosen-action.ts';

/** As the status of what has them tells them. */
interface Backup {
  readonly id: number;
  readonly created: string;
  readonly type?: string;
  readonly label?: string | null;
  readonly state?: string;
}

/** What is restored must be named; who does not know which there are is told. */
export function refuseWithoutBackup({ flags, session }: Call, verb: string, target: Resource): void {
  const { operates } = operationKind();
  const restores = (actionsOf[verb] ?? []).some((name) => {
    const { on, needs = [], takes = [] } = operates[name] ?? {};
    return on === target.kind && [...needs, ...takes].includes('backupId');
  });
  if (!restores || text(flags, 'backup') !== undefined) return;
  const line = sameLine(session.typed, '--backup ID') ?? `the same line with --backup ID`;
  throw new CliError(2, [`${verb} of ${target.kind} needs --backup. ${shownName(target)}${whichOf(target)}`, ...listOf(target, line)]);
}

const backupsOf = ({ status }: Resource): readonly Backup[] | undefined => status?.['backups'] as readonly Backup[] | undefined;
function whichOf(target: Resource): string {
  const backups = backupsOf(target);
  if (backups === undefined)
    return `: its status does not say yet which it has. To have it looked at: kubectl cloud reconcile ${typed(target)}`;
  if (backups.length > 0) return ' has, as its status says, which may be some minutes behind the account:';
  const off = target.status?.['backupsEnabled'] === false ? ', and backups of it are not enabled (spec.backupsEnabled)' : '';
  return `: its status says that it has none${off}. One that was made in the last minutes is seen after: kubectl cloud reconcile ${typed(target)}`;
}

function listOf(target: Resource, line: string): readonly string[] {
  const backups = backupsOf(target) ?? [];
  if (backups.length === 0) return [];
  const hasState = backups.some(({ state }) => state !== undefined);
  const rows = backups
    .toSorted((a, b) => (a.created < b.created ? 1 : -1))
    .map(({ id, created, type, label, state }) => [String(id), created, type ?? '', label ?? '', ...(hasState ? [state ?? ''] : [])]);
  const lines = table(['ID', 'MADE', 'TYPE', 'LABEL', ...(hasState ? ['STATE'] : [])], rows);
  return [...lines.map((one) => `  ${one}`), `To restore one of them: ${line}`];
}
