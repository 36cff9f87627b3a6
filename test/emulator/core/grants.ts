import type { Key } from '../contract/collection.ts';
import type { GrantEntity, GrantLevel, GrantRule } from '../contract/grants.ts';
import { notFound, refusal } from '../contract/refusal.ts';
import type { Actor } from '../contract/world.ts';

const covers = (held: GrantLevel | null | undefined, need: GrantLevel): boolean => held === 'read_write' || held === need;

/** Unrestricted users may do everything. */
export function may(actor: Actor | undefined, entity: GrantEntity, id: Key, need: GrantLevel): boolean {
  if (actor?.grants === undefined) return true;
  return covers(actor.grants.objects.get(`${entity}:${id}`), need);
}

function holds(actor: Actor, rule: GrantRule): boolean {
  const { grants } = actor;
  if (grants === undefined) return true;
  if ('unrestricted' in rule) return false;
  if ('account' in rule) return covers(grants.account_access, rule.account);
  return 'on' in rule || grants.global.has(rule.global);
}

/** 403 `Unauthorized` where a grant is missing; 404 for an object that the user may not even see. */
export function checkGrants(actor: Actor | undefined, rules: readonly GrantRule[], params: Readonly<Record<string, string>>): void {
  if (actor?.grants === undefined) return;
  for (const rule of rules) {
    if (!holds(actor, rule)) throw refusal(403, 'Unauthorized');
    if (!('on' in rule)) continue;
    const id = params[rule.param] ?? '';
    if (!may(actor, rule.on, id, 'read_only')) throw notFound();
    if (!may(actor, rule.on, id, rule.need)) throw refusal(403, 'Unauthorized');
  }
}
