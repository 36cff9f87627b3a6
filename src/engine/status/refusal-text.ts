import { quoted, wordOrQuoted } from '../../lib/quoted.ts';
import type { AnyKind, Refusal, Row } from '../../resource/index.ts';
import type { ApiReason, CloudError } from '../ports/index.ts';

/** The API's own words, as a quote, because it calls things otherwise than the spec, with the spec field that each concerns; where several could be meant, one that the spec sets. */
export function explain(kind: AnyKind, error: CloudError, spec: Row = {}): string {
  const parts = error.reasons.map((reason) => reasonText(kind, reason, spec));
  if (parts.length === 0) return error.message;
  return `${refused(error)}: ${parts.join('; ')}`;
}

const refused = ({ message }: CloudError): string =>
  `the API refused ${/^(?:GET|POST|PUT|DELETE) \S+(?=:)/.exec(message)?.[0] ?? 'the call'}`;

export interface KnownRefusal {
  readonly says: string;
  readonly field: string;
  readonly as: 'Rejected' | NonNullable<Refusal['as']>;
  readonly whileAt: Refusal['whileAt'];
}
/** What the kind knows of a refusal whose own words help nobody. */
export function knownRefusal(kind: AnyKind, error: CloudError, spec: Row = {}): KnownRefusal | undefined {
  for (const { reason, field } of error.reasons) {
    const fitting = Object.entries(kind.fields).flatMap(([name, { refusals = [] }]) =>
      refusals
        .filter((known) => (known.field === undefined || known.field === field) && (known.text?.test(reason) ?? true))
        .map(({ says, as = 'Rejected' as const, whileAt }) => ({ name, says, as, whileAt })),
    );
    const best = fitting.find(({ name }) => spec[name] !== undefined) ?? fitting[0];
    if (best !== undefined)
      return { says: `${refused(error)}: spec.${best.name}: ${best.says}`, field: best.name, as: best.as, whileAt: best.whileAt };
  }
  return undefined;
}

/** Which field of the spec each reason is about, with what is meant inside it. */
const placesOf = (kind: AnyKind, { reasons }: CloudError, spec: Row): readonly (string | undefined)[] =>
  reasons.map(({ reason, field }) => (field === undefined ? byText(kind, reason) : specField(kind, field, spec)));

/** The fields of the spec that were refused, as far as the answer tells them. */
export const refusedFields = (kind: AnyKind, error: CloudError, spec: Row = {}): readonly string[] => [
  ...new Set(placesOf(kind, error, spec).flatMap((place) => /^\w+/.exec(place ?? '') ?? [])),
];

/** Where all that was refused comes out of one Secret: which. */
export function refusedSecret(kind: AnyKind, error: CloudError, spec: Row = {}): string | undefined {
  const named = placesOf(kind, error, spec);
  const [first] = named;
  if (first === undefined || named.some((one) => one !== first) || !first.endsWith('SecretRef')) return undefined;
  const { name, key } = (spec[first] ?? {}) as { readonly name?: string; readonly key?: string };
  return name === undefined ? undefined : `the Secret ${name}, key ${key ?? first}`;
}

function reasonText(kind: AnyKind, { reason, field }: ApiReason, set: Row): string {
  const spec = field === undefined ? byText(kind, reason) : specField(kind, field, set);
  const text = `it said ${quoted(inWordsOfTheSpec(kind, reason))}`;
  const at = spec === undefined ? field : `spec.${spec}`;
  return at === undefined ? text : `${wordOrQuoted(at)}: ${text}`;
}

const byText = (kind: AnyKind, reason: string): string | undefined =>
  Object.entries(kind.fields).find(([, { says }]) => says?.test(reason) === true)?.[0];

const snakeOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const namesOf = (name: string, { errors = [snakeOf(name)] }: AnyKind['fields'][string]): readonly string[] => errors;

/** `rules.inbound[0].ports` -> the spec field whose rule names it, or whose name in snake_case begins it; the rest of the path is kept. */
function specField(kind: AnyKind, field: string, set: Row): string | undefined {
  const byRule = Object.entries(kind.fields).flatMap(([name, rule]) =>
    namesOf(name, rule).flatMap((prefix) =>
      field === prefix || field.startsWith(`${prefix}.`) || field.startsWith(`${prefix}[`) ? [{ name, rule, prefix }] : [],
    ),
  );
  const isSet = ({ name }: { readonly name: string }): number => (set[name] === undefined ? 0 : 1);
  const [best] = byRule.toSorted((a, b) => isSet(b) - isSet(a) || b.prefix.length - a.prefix.length);
  if (best !== undefined) return `${best.name}${below(best.rule, best.prefix, field.slice(best.prefix.length))}`;
  const head = /^[a-z0-9_]+/.exec(field)?.[0] ?? '';
  const camel = head.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(kind.fields, camel) ? `${camel}${field.slice(head.length)}` : undefined;
}

/** What the spec calls the part that is meant: the API's own name may stand for a part of a field, or below one. */
function below({ inner = {} }: AnyKind['fields'][string], name: string, rest: string): string {
  const names = new Map(Object.entries(inner));
  const own = names.get(name);
  return `${own === undefined ? '' : `.${own}`}${rest.replaceAll(/\w+/g, (part) => names.get(part) ?? part)}`;
}

/** Names of several words, which nothing but a field of the API can be. */
function inWordsOfTheSpec(kind: AnyKind, reason: string): string {
  const names = new Map(
    Object.entries(kind.fields).flatMap(([name, rule]) => [
      ...namesOf(name, rule).map((api) => [api, name] as const),
      ...Object.entries(rule.inner ?? {}),
    ]),
  );
  return reason.replaceAll(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (word) => names.get(word) ?? word);
}
