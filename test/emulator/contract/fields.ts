import type { ErrorItem } from './refusal.ts';

export type Report = (reason: string, field: string) => void;

/** One rule for one value. `check` reports every problem of the value; the type parameter says what a handler then holds. */
export interface Field<T> {
  readonly required: boolean;
  readonly nullable: boolean;
  /** Only in types. */
  readonly value?: T;
  check(value: unknown, path: string, report: Report): void;
}

export interface RequiredField<T> extends Field<T> {
  readonly required: true;
}

export type Shape = Readonly<Record<string, Field<unknown>>>;

type ValueOf<F> = F extends Field<infer T> ? T : never;
type RequiredKeys<S extends Shape> = { [K in keyof S]: S[K] extends RequiredField<unknown> ? K : never }[keyof S];

/** A checked body: required fields present, the others maybe absent. Unknown keys pass unseen. */
export type BodyOf<S extends Shape> = { readonly [K in RequiredKeys<S>]: ValueOf<S[K]> } & {
  readonly [K in Exclude<keyof S, RequiredKeys<S>>]?: ValueOf<S[K]>;
};

function field<T>(check: Field<T>['check']): Field<T> {
  return { required: false, nullable: false, check };
}

const invalid = (path: string): string => `${path.split('.').at(-1) ?? path} is not valid`;

export interface StringRule {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** Reason when the pattern fails; default `<field> is not valid`. */
  readonly reason?: string;
  /** Further reasons, for values of the right type. */
  readonly also?: (value: string) => string | undefined;
}

function stringProblems(value: string, rule: StringRule, path: string): (string | undefined)[] {
  const { min = 0, max = Infinity } = rule;
  const length = max === Infinity ? `Length must be at least ${min} characters` : `Length must be ${min}-${max} characters`;
  return [
    value.length < min || value.length > max ? length : undefined,
    rule.pattern !== undefined && !rule.pattern.test(value) ? (rule.reason ?? invalid(path)) : undefined,
    rule.also?.(value),
  ];
}

/** `Length must be <min>-<max> characters`, then the pattern. */
export function string(rule: StringRule = {}): Field<string> {
  return field((value, path, report) => {
    if (typeof value !== 'string') return report(invalid(path), path);
    for (const reason of stringProblems(value, rule, path)) if (reason !== undefined) report(reason, path);
  });
}

/** `Must be <min>-<max>`. */
export function integer(rule: { readonly min?: number; readonly max?: number; readonly reason?: string } = {}): Field<number> {
  const { min = -Infinity, max = Infinity } = rule;
  const bounds = max === Infinity ? `Must be at least ${min}` : `Must be ${min}-${max}`;
  return field((value, path, report) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return report(invalid(path), path);
    if (value < min || value > max) report(rule.reason ?? bounds, path);
  });
}

export function boolean(): Field<boolean> {
  return field((value, path, report) => {
    if (typeof value !== 'boolean') report(invalid(path), path);
  });
}

export function oneOf<const T extends string | number>(values: readonly T[], reason?: string): Field<T> {
  return field((value, path, report) => {
    if (!(values as readonly unknown[]).includes(value)) report(reason ?? invalid(path), path);
  });
}

/** Item problems carry the path `ipv4[0]`; `max` items, else `Must be <min>-<max> items`. */
export function array<T>(
  item: Field<T>,
  rule: { readonly min?: number; readonly max?: number; readonly reason?: string } = {},
): Field<readonly T[]> {
  const { min = 0, max = Infinity } = rule;
  const bounds = max === Infinity ? `Must be at least ${min} items` : `Must be ${min}-${max} items`;
  return field((value, path, report) => {
    if (!Array.isArray(value)) return report(invalid(path), path);
    if (value.length < min || value.length > max) report(rule.reason ?? bounds, path);
    value.forEach((one, index) => checkValue(item, one, `${path}[${index}]`, report));
  });
}

/** A nested object; `closed` refuses other keys with `Keys must be one of: ..`. */
export function object<const S extends Shape>(shape: S, rule: { readonly closed?: boolean } = {}): Field<BodyOf<S>> {
  return field((value, path, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return report(invalid(path), path);
    const unknown = Object.keys(value).some((key) => !Object.hasOwn(shape, key));
    if (rule.closed === true && unknown) report(`Keys must be one of: ${Object.keys(shape).toSorted().join(', ')}`, path);
    checkShape(shape, value as Record<string, unknown>, `${path}.`, report);
  });
}

/** Any JSON value, checked by the handler if at all. */
export function json<T = unknown>(check?: Field<T>['check']): Field<T> {
  return field(check ?? (() => undefined));
}

/** `<field> is required` when the key is absent (or null and not nullable). */
export function required<T>(inner: Field<T>): RequiredField<T> {
  return { ...inner, required: true };
}

export function nullable<F extends Field<unknown>>(
  inner: F,
): F extends RequiredField<infer T> ? RequiredField<T | null> : Field<ValueOf<F> | null> {
  return { ...inner, nullable: true } as never;
}

/** Tags: 3..50 characters each. The handler sorts and de-duplicates with `sortedTags`. */
export function tags(): Field<readonly string[] | null> {
  return nullable(array(string({ min: 3, max: 50 })));
}

export function sortedTags(given: readonly string[] | null | undefined): readonly string[] {
  return [...new Set(given ?? [])].toSorted();
}

function checkValue(rule: Field<unknown>, value: unknown, path: string, report: Report): void {
  if (value === null && rule.nullable) return;
  rule.check(value, path, report);
}

function checkShape(shape: Shape, value: Readonly<Record<string, unknown>>, prefix: string, report: Report): void {
  for (const [name, rule] of Object.entries(shape)) {
    const given = value[name];
    const missing = given === undefined || (given === null && !rule.nullable);
    if (!missing) checkValue(rule, given, prefix + name, report);
    else if (rule.required) report(`${name} is required`, prefix + name);
    else if (given === null) report(invalid(name), prefix + name);
  }
}

/** All problems of a body at once, in the order of the shape. */
export function problems(shape: Shape, body: Readonly<Record<string, unknown>>): readonly ErrorItem[] {
  const found: ErrorItem[] = [];
  checkShape(shape, body, '', (reason, field) => found.push({ reason, field }));
  return found;
}

/** The named fields that the body holds; absent ones stay absent. */
export function pick<B extends object, const K extends keyof B & string>(
  body: B,
  ...names: readonly K[]
): Partial<{ -readonly [N in K]: Exclude<B[N], undefined> }> {
  return Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]])) as never;
}
