import type { Row } from '../../resource/index.ts';

/** Dollars as people write them. */
export const dollars = (amount: number): string => `${amount.toFixed(2)} USD`;

export const numberIn = (row: Row, field: string): number => Number(row[field] ?? 0);

/** How the account calls itself, for the person who pays. */
export const companyOf = (account: Row): string => String(account['company'] || account['email'] || account['euuid'] || '');

/** `Visa ending 1111, valid until 12/2029`; no more of it is shown anywhere. */
export function methodText({ type, data, is_default: isDefault }: Row): string {
  const { card_type: card, last_four: four, expiry } = (data ?? {}) as Row;
  const name = four === undefined || four === null ? String(type) : `${String(card)} ending ${String(four)}, valid until ${String(expiry)}`;
  return isDefault === true ? `${name} (default)` : name;
}
