import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { covers, isRecord } from '../../src/engine/model/values.ts';
import { changeOf } from '../../src/plugin/dry/verdict.ts';
import type { AnyWant, Row } from '../../src/resource/index.ts';
import { type Case, merged, named, next, placed } from './case.ts';

interface Edit {
  readonly field: string;
  readonly to: Row;
}
/** Edits of fields that are records: each as it is, and by one of its parts at a time. */
const edits = ({ kind, fixture }: Case): readonly Edit[] =>
  fixture.edits.flatMap(({ field, to, refused, with: more }) => {
    if (refused === true || more !== undefined || !isRecord(to)) return [];
    const parts = Object.entries(to).filter(([part]) => isEnough(kind.spec.shape[field], part));
    const alone = parts.length > 1 ? parts.map(([part, value]) => ({ [part]: value })) : [];
    return [to, ...alone].map((one) => ({ field, to: one }));
  });
/** A spec may say this part alone. */
const isEnough = (schema: unknown, part: string): boolean => {
  if (schema instanceof z.ZodOptional) return isEnough(schema.unwrap(), part);
  const shape: Readonly<Record<string, z.ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.entries(shape).every(([other, one]) => other === part || one.safeParse(undefined).success);
};

/** The parts of what the account has that a body would make another, in the item itself or in what is below it. */
const changedBy = (body: Row, remote: Row): readonly string[] =>
  Object.entries(body).flatMap(([field, value]) => {
    const have = (field in remote ? remote : (Object.values(remote).find((part) => isRecord(part) && field in part) ?? {})) as Row;
    return isRecord(value) && isRecord(have[field]) ? changedBy(value, have[field]) : covers(value, have[field]) ? [] : [field];
  });

const sent = (one: Case, { field, to }: Edit) => {
  const step = next(one, placed(merged(one.fixture.want, { [field]: to }), one.ids) as AnyWant, one.remote);
  const changes = step.do === 'update' ? step.changes : [];
  const lines = changes.flatMap((change) => (change.field === field ? (changeOf(change).elements ?? []) : []));
  const call = step.do === 'update' && changes.length === 1 && lines.length > 0 ? step.call : undefined;
  return {
    lines,
    parts: lines.map((line) => /^[~+-] (\w+): /.exec(line)?.[1] ?? line),
    body: call?.method === 'PUT' ? call.body : undefined,
  };
};

const withRecords = named.filter(([, one]) => edits(one).length > 0);

describe.each(withRecords)('a change of a record of %s', (_, one) => {
  const all = edits(one).map((edit) => [`${edit.field} -> ${JSON.stringify(edit.to)}`, edit] as const);
  it.each(all)('%s shows what the spec says alone', (_name, edit) => {
    expect(sent(one, edit).parts.filter((part) => !(part in edit.to))).toEqual([]);
  });
  const put = all.flatMap(([name, edit]) => {
    const { lines, body } = sent(one, edit);
    return body === undefined ? [] : [[name, { lines, body }] as const];
  });
  it.runIf(put.length > 0).each(put)('%s shows as much as is sent', (_name, { lines, body }) => {
    expect(changedBy(body, one.remote)).toHaveLength(lines.length);
  });
});
