import { fieldError, invalid } from '../resources/field-error.ts';
import type { FieldError } from '../resources/field-error.ts';
import { equal, isObject } from '../storage/json.ts';
import { hasFormat } from './formats.ts';
import type { Structural } from './structural.ts';

/** A value with the field it stands for; `name` is the field as the message has it, relative to what is validated. */
export interface Place {
  readonly field: string;
  readonly name: string;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function allowedTypes(schema: Structural): string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type ? [schema.type] : [];
}

/** Empty when the type is right. */
export function typeErrors(value: unknown, schema: Structural, at: Place): FieldError[] {
  const allowed = allowedTypes(schema);
  const type = typeOf(value);
  const nullAllowed = type === 'null' && schema.nullable === true;
  if (allowed.length === 0 || nullAllowed || allowed.includes(type) || (type === 'integer' && allowed.includes('number'))) return [];
  const [wanted, found] = namesInMessage(value, schema, allowed.join(','));
  const wrong = fieldError('FieldValueTypeInvalid', at.field, {
    value: found,
    detail: `${at.name} in body must be of type ${wanted}: "${found}"`,
  });
  return type === 'number' && allowed.includes('integer') ? [wrong, fractionError(schema, at)] : [wrong];
}

/** Of a number where a format is wanted, the server speaks in formats. */
function namesInMessage(value: unknown, schema: Structural, wanted: string): [wanted: string, found: string] {
  if (typeof value !== 'number' || !schema.format) return [wanted, typeOf(value)];
  return [schema.format, Number.isInteger(value) ? 'int64' : 'float64'];
}

/** A fraction in the place of an integer is reported a second time, without a field. */
function fractionError(schema: Structural, at: Place): FieldError {
  const format = schema.format ? `with format ${schema.format}` : '(default format)';
  return invalid('<nil>', '', `Checked value must be of type integer ${format} in ${at.name}`);
}

function enumErrors(value: unknown, schema: Structural, at: Place): FieldError[] {
  if (!schema.enum || schema.enum.some((one) => equal(one, value))) return [];
  const supported = schema.enum.map((one) => JSON.stringify(typeof one === 'string' ? one : JSON.stringify(one))).join(', ');
  return [fieldError('FieldValueNotSupported', at.field, { value, detail: `supported values: ${supported}` })];
}

/** One fault a string at most: length is looked at before the pattern. */
function stringErrors(value: string, schema: Structural, at: Place): FieldError[] {
  const length = Array.from(value).length;
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    return [fieldError('FieldValueTooLong', at.field, { detail: `may not be more than ${schema.maxLength} bytes` })];
  }
  if (schema.minLength !== undefined && length < schema.minLength) {
    return [invalid(at.field, value, `${at.name} in body should be at least ${schema.minLength} chars long`)];
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    return [invalid(at.field, value, `${at.name} in body should match '${schema.pattern}'`)];
  }
  if (schema.format && !hasFormat(schema.format, value)) {
    return [
      fieldError('FieldValueTypeInvalid', at.field, {
        value,
        detail: `${at.name} in body must be of type ${schema.format}: ${JSON.stringify(value)}`,
      }),
    ];
  }
  return [];
}

function numberErrors(value: number, schema: Structural, at: Place): FieldError[] {
  const errors: FieldError[] = [];
  const should = (broken: boolean, text: string): unknown =>
    broken && errors.push(invalid(at.field, value, `${at.name} in body should be ${text}`));
  const { multipleOf, maximum, minimum } = schema;
  if (multipleOf !== undefined) should(!Number.isInteger(Number((value / multipleOf).toFixed(9))), `a multiple of ${multipleOf}`);
  if (maximum !== undefined) maximumError(value, maximum, schema.exclusiveMaximum === true, should);
  if (minimum !== undefined) minimumError(value, minimum, schema.exclusiveMinimum === true, should);
  return errors;
}

type Should = (broken: boolean, text: string) => unknown;

function maximumError(value: number, maximum: number, exclusive: boolean, should: Should): void {
  if (exclusive) should(value >= maximum, `less than ${maximum}`);
  else should(value > maximum, `less than or equal to ${maximum}`);
}

function minimumError(value: number, minimum: number, exclusive: boolean, should: Should): void {
  if (exclusive) should(value <= minimum, `greater than ${minimum}`);
  else should(value < minimum, `greater than or equal to ${minimum}`);
}

function countErrors(count: number, schema: { min: number | undefined; max: number | undefined }, at: Place, what: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.max !== undefined && count > schema.max) {
    errors.push(fieldError('FieldValueTooMany', at.field, { value: count, detail: `must have at most ${schema.max} items` }));
  }
  if (schema.min !== undefined && count < schema.min) {
    errors.push(invalid(at.field, count, `${at.name} in body should have at least ${schema.min} ${what}`));
  }
  return errors;
}

function shapeErrors(value: unknown, schema: Structural, at: Place): FieldError[] {
  if (typeof value === 'string') return stringErrors(value, schema, at);
  if (typeof value === 'number') return numberErrors(value, schema, at);
  if (Array.isArray(value)) return countErrors(value.length, { min: schema.minItems, max: schema.maxItems }, at, 'items');
  if (isObject(value))
    return countErrors(Object.keys(value).length, { min: schema.minProperties, max: schema.maxProperties }, at, 'properties');
  return [];
}

/** Faults of the value itself, not of what it contains. */
export function valueErrors(value: unknown, schema: Structural, at: Place): FieldError[] {
  if (value === null) return [];
  return [...enumErrors(value, schema, at), ...shapeErrors(value, schema, at)];
}
