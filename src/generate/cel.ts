import type { AnyKind, AnyRule } from '../resource/index.ts';
import type { Validation } from './structural-schema.ts';

const replaceAllowed = "has(self.lifecycle) && has(self.lifecycle.replace) && self.lifecycle.replace == 'Allow'";

/** Rules on the parent, because a rule on an optional field itself is skipped when the field is taken away and set anew. */
export function specRules(kind: AnyKind, required: readonly string[]): readonly Validation[] {
  const rules = Object.entries(kind.fields).flatMap(([field, rule]) => fieldRules(kind, field, rule, required.includes(field)));
  return [...(kind.mode === 'connection' ? [] : accountRules), ...rules, ...(kind.rules ?? [])];
}

function fieldRules(kind: AnyKind, field: string, rule: AnyRule, required: boolean): readonly Validation[] {
  return rule.immutable ? [immutable(kind, field, required)] : [];
}

/** Rules that compare the spec with what the account has, on the object itself because the spec cannot see the status. */
export const objectRules = (kind: AnyKind): readonly Validation[] =>
  Object.entries(kind.fields).flatMap(([field, rule]) => (rule.only === 'grows' ? [grows(kind, field)] : []));

function immutable(kind: AnyKind, field: string, required: boolean): Validation {
  const same = `self.${field} == oldSelf.${field}`;
  const kept = required ? same : `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || ${same})`;
  const rule = kind.fields[field];
  if (kind.mode !== 'collection' || rule?.effect === 'Never') {
    return { rule: kept, message: `${field} cannot be changed: put the old value back`, fieldPath: `.${field}` };
  }
  // A replacement is made of what is seen to differ, and this is never seen.
  if (rule?.read === undefined)
    return { rule: kept, message: `${field} cannot be changed after creation: make another ${kind.kind}`, fieldPath: `.${field}` };
  return {
    rule: `(${replaceAllowed}) || (${kept})`,
    message: `${field} cannot be changed after creation: make another ${kind.kind}, or set lifecycle.replace: Allow to let this one be deleted and created anew`,
    fieldPath: `.${field}`,
  };
}

/** What the account refused to give may be taken back: only what it has got cannot become less. Later growth there refuses no status. */
function grows({ kind, status }: AnyKind, field: string): Validation {
  if (!(field in status.shape)) throw new Error(`${kind}: ${field} only grows, so the status must show it under the same name`);
  const [now, before, has] = [`self.spec.${field}`, `oldSelf.spec.${field}`, `self.status.${field}`];
  const unknown = `!has(${now}) || !has(${before}) || !has(self.status) || !has(${has})`;
  return {
    rule: `${unknown} || ${now} >= ${before} || ${now} >= ${has}`,
    message: `${field} can grow but never shrink: put back what status.${field} shows, or a greater value`,
    fieldPath: `.spec.${field}`,
  };
}

const isDefault = (self: string): string => `(${self}.accountRef.name == 'default' && !has(${self}.accountRef.namespace))`;
const accountMessage =
  'accountRef cannot be changed: a cloud resource never moves to another account; make another object for the other account';

/** An absent reference means the account called `default`, so that writing it out is no change. */
const accountRules: readonly Validation[] = [
  {
    rule: '!has(self.accountRef) || !has(oldSelf.accountRef) || self.accountRef == oldSelf.accountRef',
    message: accountMessage,
    fieldPath: '.accountRef',
  },
  {
    rule: `has(self.accountRef) == has(oldSelf.accountRef) || (has(self.accountRef) ? ${isDefault('self')} : ${isDefault('oldSelf')})`,
    message: accountMessage,
    fieldPath: '.accountRef',
  },
];

/** Tags that begin with `co-` mark the installations of this operator (design 4.2). */
export const userTag: Validation = {
  rule: "!self.startsWith('co-')",
  message: 'tags that begin with co- belong to the operator: choose another name',
};
