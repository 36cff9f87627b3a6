import * as z from 'zod';
import type { AnyKind, AnyRule, Mode } from '../../resource/index.ts';
import { editOf } from './edit.ts';
import { outputRules } from './outputs.ts';
import type { Validation } from './structural-schema.ts';

const replaceAllowed = "has(self.lifecycle) && has(self.lifecycle.replace) && self.lifecycle.replace == 'Allow'";

/** Rules on the parent, because a rule on an optional field itself is skipped when the field is taken away and set anew. */
export function specRules(kind: AnyKind, required: readonly string[]): readonly Validation[] {
  const rules = Object.entries(kind.fields).flatMap(([field, rule]) => fieldRules(kind, field, rule, required.includes(field)));
  return [...ofAccount[kind.mode], ...rules, ...(kind.rules ?? [])];
}

function fieldRules(kind: AnyKind, field: string, rule: AnyRule, required: boolean): readonly Validation[] {
  const edit = editOf(kind, rule);
  return edit === 'free' ? [] : [{ ...immutable[edit](kind, field, kept(field, required)), fieldPath: `.${field}` }];
}

/** Rules that compare the spec with what the account has, on the object itself because the spec cannot see the status. */
export const objectRules = (kind: AnyKind): readonly Validation[] => [
  ...Object.entries(kind.fields).flatMap(([field, rule]) => (rule.only === 'grows' ? [grows(kind, field)] : [])),
  ...outputRules(kind),
  ...(kind.objectRules ?? []),
];

function kept(field: string, required: boolean): string {
  const same = `self.${field} == oldSelf.${field}`;
  return required ? same : `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || ${same})`;
}

type Refusal = (kind: AnyKind, field: string, kept: string) => Validation;
const immutable: Readonly<Record<'never' | 'another' | 'replace', Refusal>> = {
  never: (_, field, rule) => ({ rule, message: `${field} cannot be changed: put the old value back` }),
  another: ({ kind }, field, rule) => ({ rule, message: `${field} cannot be changed after creation: make another ${kind}` }),
  replace: ({ kind }, field, rule) => ({
    rule: `(${replaceAllowed}) || (${rule})`,
    message: `${field} cannot be changed after creation: make another ${kind}, or set lifecycle.replace: Allow to let this one be deleted and created anew`,
  }),
};

/** What the account refused to give may be taken back: only what it has got cannot become less. Later growth there refuses no status. */
function grows({ kind, spec, status }: AnyKind, field: string): Validation {
  if (!(field in status.shape)) throw new Error(`${kind}: ${field} only grows, so the status must show it under the same name`);
  const at = { now: `self.spec.${field}`, before: `oldSelf.spec.${field}`, has: `self.status.${field}` };
  const unknown = `!has(${at.now}) || !has(${at.before}) || !has(self.status) || !has(${at.has})`;
  const { rule, message } = growth(kind, field, spec.shape[field])(at);
  return { rule: `${unknown} || ${rule}`, message: `${field} ${message}`, fieldPath: `.spec.${field}` };
}

type Growth = (at: { readonly now: string; readonly before: string; readonly has: string }) => Omit<Validation, 'fieldPath'>;
function growth(kind: string, field: string, schema: unknown): Growth {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodBoolean) return set;
  if (!(inner instanceof z.ZodArray)) return greater;
  const [key, ...more] = mapKeysOf(inner);
  if (key === undefined || more.length > 0)
    throw new Error(`${kind}: ${field} only grows, so its elements must be known by exactly one key`);
  return longer(key);
}

const greater: Growth = ({ now, before, has }) => ({
  rule: `${now} >= ${before} || ${now} >= ${has}`,
  message: `can grow but never shrink: put back what ${has.slice('self.'.length)} shows, or a greater value`,
});
const set: Growth = ({ now, before, has }) => ({
  rule: `${now} || !${before} || !${has}`,
  message: 'was carried out and cannot be taken back: set it to true again, or leave it out',
});
/** The status shows the keys of those that the account has. */
const longer =
  (key: string): Growth =>
  ({ now, before, has }) => ({
    rule: `${before}.all(o, ${now}.exists(s, s.${key} == o.${key}) || !(o.${key} in ${has}))`,
    message: `can be added to: put back each whose ${key} the status shows, because it was sent`,
  });

const mapKeysOf = (schema: z.ZodType): readonly string[] => (schema.meta()?.['x-kubernetes-list-map-keys'] ?? []) as readonly string[];

/** An element of a list that only grows stays as it was sent. */
export const elementStays = (key: string, properties: readonly string[]): readonly Validation[] =>
  properties
    .filter((property) => property !== key)
    .map((property) => ({
      rule: kept(property, false),
      message: `${property} cannot be changed once it is written: add another with a ${key} of its own`,
    }));

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

/** The way to an account belongs to none. */
const ofAccount: Readonly<Record<Mode, readonly Validation[]>> = {
  collection: accountRules,
  singleton: accountRules,
  connection: [],
  issued: accountRules,
  operation: accountRules,
};

/** Tags that begin with `co-` mark the installations of this operator. */
export const userTag: Validation = {
  rule: "!self.startsWith('co-')",
  message: 'tags that begin with co- belong to the operator: choose another name',
};
