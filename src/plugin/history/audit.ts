import type { Resource } from '../../engine/ports/kubernetes.ts';
import { CliError } from '../exit.ts';
import type { Host } from '../host.ts';
import type { Entry } from './entries.ts';

interface Line {
  readonly time?: string;
  readonly audit?: string;
  readonly id?: string;
  readonly outcome?: string;
  readonly uid?: string;
  readonly method?: string;
  readonly path?: string;
  readonly cause?: string;
  readonly effect?: string;
  readonly askedBy?: string;
  readonly approved?: { readonly by?: string; readonly reason?: string };
}

/** What the operator's audit log has of an object: each call once, with how it ended. Other lines of the file are passed over. */
export async function ofAudit(host: Host, path: string, { metadata: { uid } }: Resource): Promise<readonly Entry[]> {
  const [file, another] = await host.readFiles(path, false);
  if (file === undefined || another !== undefined) throw new CliError(2, `--audit ${path}: name one file, or - for standard input`);
  const lines = file.text.split('\n').flatMap(lineIn);
  if (lines.length === 0) throw new CliError(2, `--audit ${path} has no line of an audit log of the operator`);
  const outcomes = new Map(
    lines.flatMap(({ audit, id, outcome }) => (audit === 'answered' && id !== undefined ? [[id, outcome] as const] : [])),
  );
  return lines.filter((line) => line.audit === 'sent' && line.uid === uid).map((line) => entryOf(line, outcomes.get(line.id ?? '')));
}

function lineIn(text: string): readonly Line[] {
  if (!text.startsWith('{')) return [];
  try {
    const line = JSON.parse(text) as Line;
    return typeof line.audit === 'string' && typeof line.time === 'string' ? [line] : [];
  } catch {
    return [];
  }
}

function entryOf({ time = '', method = '', path = '', cause, effect, approved, askedBy }: Line, outcome: string | undefined): Entry {
  const said = [cause, effect, askedBy === undefined ? undefined : `spec by ${askedBy}`, ...approvalWords(approved)].filter(
    (word) => word !== undefined,
  );
  return {
    at: time.replace(/\.\d+Z$/, 'Z'),
    source: 'audit',
    what: `${method} ${path}`,
    about: 'itself',
    by: 'operator',
    state: outcome ?? 'no answer is known',
    ...(said.length > 0 && { message: said.join(', ') }),
  };
}

const approvalWords = ({ by, reason }: NonNullable<Line['approved']> = {}): readonly string[] => [
  ...(by === undefined ? [] : [`approved by ${by}`]),
  ...(reason === undefined ? [] : [`because: ${reason}`]),
];
