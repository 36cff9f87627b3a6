import type { RemoteId } from '../../resource/index.ts';

/** What a state has of one resource. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Other resources of the same state. */
export interface Here {
  readonly resource: (type: string, id: RemoteId) => Attributes | undefined;
  /** What the line asks for besides. */
  readonly asks: (flag: AskedFor) => boolean;
}
/** Attributes that say something of a spec only where a flag asks for them. */
export type AskedFor = 'with-image' | 'with-create-fields';

/** What a block says that is a resource of its own: told as if it stood in the state. */
export interface Further {
  readonly type: string;
  readonly attributes: Attributes;
  /** Comes after the name of what has it. */
  readonly called: string;
}

/** A value of a state as the spec has it; undefined: it says nothing. */
export type Converted = (value: unknown, all: Attributes, here: Here) => unknown;

/** What is done with one attribute, in words for `--mapping` too. */
export type Rule =
  | {
      readonly does: 'field';
      readonly field: string;
      readonly as: Converted;
      /** What of the value does not come to be in the spec. */
      readonly says?: (value: unknown) => string | undefined;
    }
  /** A field where the line asks for it, and else left out: it is read when something is made, and never again. */
  | { readonly does: 'asked'; readonly flag: AskedFor; readonly field: string; readonly as: Converted }
  /** A block that is there once, as an object. */
  | { readonly does: 'block'; readonly field: string; readonly rules: Rules }
  /** Blocks as a list, in their order. */
  | { readonly does: 'blocks'; readonly field: string; readonly rules: Rules }
  | { readonly does: 'further'; readonly of: (value: unknown, all: Attributes) => readonly Further[] }
  /** Left out without a word: `computed` by the service, read at `creation` alone, or of the `provider`. */
  | { readonly does: 'nothing'; readonly because: 'computed' | 'creation' | 'provider' }
  /** Left as it is in the account, and the person is told. */
  | { readonly does: 'tell'; readonly why: string; readonly when: (value: unknown) => boolean }
  /** Never written, not even its length. */
  | { readonly does: 'secret' };
export type Rules = Readonly<Record<string, Rule>>;

export interface Sought {
  /** What people call it. */
  readonly called: string;
  readonly fits: (row: Attributes) => boolean;
  readonly lacks: (row: Attributes) => Attributes;
}

export interface ObjectRule {
  readonly is: 'object';
  readonly kind: string;
  readonly id: (all: Attributes) => RemoteId | undefined;
  readonly rules: Rules;
  /** Its fields are those that the account shows, because the state's are not told apart here. */
  readonly whole?: true;
  /** Where the state does not say the id: which row of the account it is, and what of it the state lacks. */
  readonly like?: (all: Attributes) => Sought | undefined;
  /** Why this one is left out. */
  readonly not?: (all: Attributes) => string | undefined;
}
/** A resource that stays in Terraform, and of which something is made besides. */
export interface Instead {
  /** The flag, as it is typed: `--with-object-acls`. */
  readonly asked: string;
  readonly rule: ObjectRule;
  /** What stays, and what to do about it. */
  readonly stays: string;
  /** It is never managed, whatever the line says. */
  readonly observed?: true;
}
/** What becomes of resources of one type. */
export type TypeRule =
  | ObjectRule
  /** Says something of an object that another resource makes. */
  | {
      readonly is: 'part';
      readonly kind: string;
      readonly id: (all: Attributes) => RemoteId | undefined;
      readonly rules: Rules;
      /** What it is where that object is not among what is imported; absent: it stays. */
      readonly alone?: ObjectRule;
    }
  | {
      readonly is: 'nothing';
      readonly why: string;
      /** The state has a credential of it in clear. */
      readonly rotate?: true;
      /** What is made of it where the line asks for it. */
      readonly instead?: Instead;
    }
  /** Made of nothing but the resources that its rules find in it. */
  | { readonly is: 'only further'; readonly rules: Rules };

export const asIs: Converted = (value) => value;
export const field = (name: string, as: Converted = asIs): Extract<Rule, { readonly does: 'field' }> => ({
  does: 'field',
  field: name,
  as,
});
export const asked = (flag: AskedFor, name: string, as: Converted = asIs): Rule => ({ does: 'asked', flag, field: name, as });
export const block = (name: string, rules: Rules): Rule => ({ does: 'block', field: name, rules });
export const blocks = (name: string, rules: Rules): Rule => ({ does: 'blocks', field: name, rules });
export const further = (of: (value: unknown, all: Attributes) => readonly Further[]): Rule => ({ does: 'further', of });
export const secret: Rule = { does: 'secret' };
export const isSaid = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false && value !== 0 && !isEmpty(value);
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
export const tell = (why: string, when: (value: unknown) => boolean = isSaid): Rule => ({ does: 'tell', why, when });
const all = (because: 'computed' | 'creation' | 'provider', names: readonly string[]): Rules =>
  Object.fromEntries(names.map((name) => [name, { does: 'nothing', because }]));
export const computed = (...names: readonly string[]): Rules => all('computed', names);
export const atCreation = (...names: readonly string[]): Rules => all('creation', names);
export const ofProvider = (...names: readonly string[]): Rules => all('provider', names);
export const later = (...names: readonly string[]): Rules =>
  Object.fromEntries(names.map((name) => [name, tell('this release knows no such field, and leaves it as it is')]));

export const isRecord = (value: unknown): value is Attributes => typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isRecord(value) ? [value] : []);
/** Ids are texts in a state. */
export const integer = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
};
export const integerIn =
  (name: string) =>
  (attributes: Attributes): number | undefined =>
    integer(attributes[name]);
export const textIn =
  (name: string) =>
  (attributes: Attributes): string | undefined =>
    typeof attributes[name] === 'string' && attributes[name] !== '' ? attributes[name] : undefined;

/** Terraform's word for what nobody set. */
export const unlessEmpty: Converted = (value) => (value === '' || isEmpty(value) ? undefined : value);
export const unlessZero: Converted = (value) => (value === 0 ? undefined : value);
/** Its false would take away what somebody adds later. */
export const onlyTrue: Converted = (value) => (value === true ? true : undefined);
/** The provider's word in ids of kernels and images is the operator's own. */
export const ownWord: Converted = (value) => (typeof value === 'string' ? value.replace(/^linode\//, 'vm/') || undefined : undefined);
export const reference: Converted = (value) => integer(value);
/** Marks of installations are the operator's own, and no spec may have them. */
export const tags: Rule = {
  ...field('tags', (value) => {
    const own = ownTags(value);
    return own.length === 0 ? undefined : own;
  }),
  says: (value) => {
    const marks = listOf(value).length - ownTags(value).length;
    if (ownTags(value).some((tag) => String(tag).length < 3))
      return 'a tag of a spec has 3 to 50 characters; as one has fewer, all are left as they are';
    return marks === 0 ? undefined : 'what begins with co- is the mark of an operator, and is left out';
  },
};
const ownTags = (value: unknown): readonly unknown[] => listOf(value).filter((tag) => !String(tag).startsWith('co-'));
