import { limits, typeName } from './field-words.ts';
import { table } from '../markdown.ts';
import type { Structural } from '../schema/structural-schema.ts';

export interface FieldRow {
  readonly path: string;
  readonly type: string;
  readonly limits: string;
  readonly change: string;
  readonly description: string;
}

/** One row per field at every depth; `change` tells what an edit of a top-level field does. */
export function fieldRows(schema: Structural, prefix: string, change: (field: string) => string): readonly FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const below = field.items ?? field;
    const row: FieldRow = {
      path,
      type: typeName(field),
      limits: [schema.required?.includes(name) && prefix === '' ? 'required' : '', limits(field)].filter((text) => text !== '').join('; '),
      change: change(name),
      description: field.description ?? '',
    };
    return [row, ...fieldRows(below, `${path}${field.items ? '[]' : ''}.`, () => '')];
  });
}

export const fieldTable = (rows: readonly FieldRow[]): string =>
  table(
    ['Field', 'Type', 'Limits', 'A change is', 'Description'],
    rows.map(({ path, type, limits, change, description }) => [`\`${path}\``, type, limits, change, description]),
  );
export const statusTable = (rows: readonly FieldRow[]): string =>
  table(
    ['Field', 'Type', 'Description'],
    rows.map(({ path, type, description }) => [`\`${path}\``, type, description]),
  );
