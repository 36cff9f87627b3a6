import { canonicalAddress, completedName, isCompletedName, isRelativeName, relativeName } from '../../resource/index.ts';

/** `_sip.`, `_sip` and `sip` are one service. */
export const word = (text: string | null | undefined): string => (text ?? '').replace(/^_/, '').replace(/\.$/, '').toLowerCase();

/** What names a record; the rest of a want does not matter for finding it. */
export interface Named {
  readonly type: string;
  readonly host?: string | undefined;
  readonly target?: string | undefined;
  readonly targetFrom?: string | undefined;
  readonly service?: string | undefined;
  readonly protocol?: string | undefined;
  readonly borrowed?: Readonly<{ [name: string]: string | undefined }>;
}
export const nameOf = (want: Named): string => (want.type === 'SRV' ? `_${word(want.service)}._${word(want.protocol)}` : (want.host ?? ''));
export const targetOf = (want: Named): string => want.target ?? want.targetFrom ?? '';

export const sameName = (stored: string, want: Named): boolean => isRelativeName(stored, nameOf(want), want.borrowed?.['zone']);

/** The service puts an address in place of `[remote_addr]`, and may spell addresses and host names in its own way. */
export function sameTarget(stored: string, want: Named): boolean {
  const wanted = targetOf(want);
  if (wanted === '[remote_addr]' || stored === wanted) return true;
  if (want.type === 'A' || want.type === 'AAAA') return canonicalAddress(stored) === canonicalAddress(wanted);
  return leadsToHost(want) && isCompletedName(stored, wanted, want.borrowed?.['zone']);
}

const leadsToHost = ({ type }: Named): boolean => ['CNAME', 'MX', 'NS', 'SRV'].includes(type);

/** Equal for all spellings of one record, so that two objects with one tuple are found out before anything is sent. */
export function tupleOf(want: Named & { readonly port?: number | undefined; readonly tag?: string | undefined }): {
  readonly type: string;
  readonly name: string;
  readonly target: string;
  readonly port: number;
  readonly tag: string | null;
} {
  const zone = want.borrowed?.['zone'];
  const address = want.type === 'A' || want.type === 'AAAA';
  const target = address ? canonicalAddress(targetOf(want)) : leadsToHost(want) ? completedName(targetOf(want), zone) : targetOf(want);
  return { type: want.type, name: relativeName(nameOf(want), zone), target, port: want.port ?? 0, tag: want.tag ?? null };
}
