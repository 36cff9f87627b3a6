import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { accountRows } from '../../records/account.ts';

export function owes(world: World): boolean {
  return (world.store(accountRows).get(world.euuid)?.balance ?? 0) > 0;
}

/** Who owes may neither resize an instance nor transfer one; the text is assumed. */
export function requireNoDebt(world: World, what: string): void {
  if (owes(world)) throw refusal(400, `Your account has an outstanding balance. Please pay it before ${what}.`);
}
