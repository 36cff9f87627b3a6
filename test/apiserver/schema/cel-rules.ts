import { Optional } from '@marcbachmann/cel-js';
import type { Environment } from '@marcbachmann/cel-js';
import { fieldError } from '../resources/field-error.ts';
import type { FieldError } from '../resources/field-error.ts';
import { isObject } from '../storage/json.ts';
import { celEnvironment } from './cel-environment.ts';
import { resourceToCel, toCel } from './cel-value.ts';
import { correlateField, correlateItem, correlateRoot } from './correlate.ts';
import type { Correlation } from './correlate.ts';
import { joinPath, propertySchema } from './structural.ts';
import type { Structural, ValidationRule } from './structural.ts';

interface Context {
  readonly self: unknown;
  readonly oldSelf: unknown;
}

type Program = (context: Context) => unknown;

class Compiler {
  readonly #environment: Environment;
  readonly #programs = new Map<string, Program>();

  constructor(oldSelfType: 'dyn' | 'optional<dyn>') {
    this.#environment = celEnvironment(oldSelfType);
  }

  compile(expression: string): Program {
    let program = this.#programs.get(expression);
    if (!program) this.#programs.set(expression, (program = this.#environment.parse(expression) as Program));
    return program;
  }

  /** What is wrong with an expression, or undefined. */
  fault(expression: string): string | undefined {
    const result = this.#environment.check(expression);
    return result.valid ? undefined : (result.error?.message ?? 'does not compile');
  }
}

const plain = new Compiler('dyn');
const optional = new Compiler('optional<dyn>');

const compilerOf = (rule: ValidationRule): Compiler => (rule.optionalOldSelf ? optional : plain);
const usesOldSelf = (rule: ValidationRule): boolean => /\boldSelf\b/.test(rule.rule);

/** Why the rules of a schema cannot be accepted in a CRD; one line for each. */
export function ruleFaults(schema: Structural, path = 'openAPIV3Schema'): { path: string; rule: string; fault: string }[] {
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap((rule, n) => {
    const fault = compilerOf(rule).fault(rule.rule);
    return fault ? [{ path: `${path}.x-kubernetes-validations[${n}].rule`, rule: rule.rule, fault }] : [];
  });
  const properties = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    ruleFaults(property, `${path}.properties[${key}]`),
  );
  const items = schema.items ? ruleFaults(schema.items, `${path}.items`) : [];
  const others =
    typeof schema.additionalProperties === 'object' ? ruleFaults(schema.additionalProperties, `${path}.additionalProperties`) : [];
  return [...own, ...properties, ...items, ...others];
}

/** Evaluates all CEL rules of a schema. `old` undefined: a create, where rules about `oldSelf` rest. */
export function ruleErrors(value: unknown, old: unknown, schema: Structural): FieldError[] {
  return rulesAt(value, schema, '', correlateRoot(value, old));
}

function rulesAt(value: unknown, schema: Structural, field: string, correlation: Correlation): FieldError[] {
  if (value === null || value === undefined) return [];
  const rules = schema['x-kubernetes-validations'] ?? [];
  const own = rules.flatMap((rule) => evaluate(rule, value, { schema, field, correlation }));
  return [...own, ...nestedErrors(value, schema, field, correlation)];
}

function nestedErrors(value: unknown, schema: Structural, field: string, correlation: Correlation): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items
      ? value.flatMap((item: unknown, n) => rulesAt(item, items, `${field}[${n}]`, correlateItem(correlation, schema, item)))
      : [];
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const property = propertySchema(schema, key);
    return property ? rulesAt(value[key], property, joinPath(field, key), correlateField(correlation, key, value[key])) : [];
  });
}

interface Node {
  readonly schema: Structural;
  readonly field: string;
  readonly correlation: Correlation;
}

const hasOld = ({ correlation }: Node): boolean => correlation.old !== undefined && correlation.old !== null;

/** Rules about `oldSelf` need one; all others forgive what has not changed. */
function applies(rule: ValidationRule, node: Node): boolean {
  if (!usesOldSelf(rule)) return !node.correlation.unchanged;
  return hasOld(node) || rule.optionalOldSelf === true;
}

function contextOf(rule: ValidationRule, value: unknown, node: Node): Context {
  const see = (one: unknown): unknown => (node.field === '' ? resourceToCel(one, node.schema) : toCel(one, node.schema));
  const old = hasOld(node) ? see(node.correlation.old) : undefined;
  if (!rule.optionalOldSelf) return { self: see(value), oldSelf: old };
  return { self: see(value), oldSelf: hasOld(node) ? Optional.of(old) : Optional.none() };
}

function evaluate(rule: ValidationRule, value: unknown, node: Node): FieldError[] {
  if (!applies(rule, node)) return [];
  const context = contextOf(rule, value, node);
  try {
    if (compilerOf(rule).compile(rule.rule)(context) === true) return [];
  } catch (error) {
    const detail = `${lowerFirst(summary(error))} evaluating rule: ${rule.message ?? rule.rule}`;
    return [fieldError('FieldValueInvalid', node.field || '<nil>', { value: node.schema.type, detail })];
  }
  return [refusal(rule, value, node, messageOf(rule, context))];
}

function messageOf(rule: ValidationRule, context: Context): string {
  const fallback = rule.message ?? `failed rule: ${rule.rule}`;
  if (!rule.messageExpression) return fallback;
  try {
    const message = compilerOf(rule).compile(rule.messageExpression)(context);
    return typeof message === 'string' && message.trim() !== '' ? message : fallback;
  } catch {
    return fallback;
  }
}

function refusal(rule: ValidationRule, value: unknown, node: Node, detail: string): FieldError {
  const below = rule.fieldPath?.replace(/^\./, '') ?? '';
  const field = (below ? joinPath(node.field, below) : node.field) || '<nil>';
  const bare = node.schema.type === 'object' || node.schema.type === 'array' || rule.reason === 'FieldValueDuplicate';
  return fieldError(rule.reason ?? 'FieldValueInvalid', field, bare ? { detail } : { value, detail });
}

function summary(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
