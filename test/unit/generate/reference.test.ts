import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reasons as known } from '../../../src/engine/model/outcome.ts';
import { specRules } from '../../../src/generate/schema/cel.ts';
import {
  commonStatus,
  issuedStatus,
  namedStatus,
  operationStatus,
  rotationStatus,
  spacedStatus,
  transferStatus,
} from '../../../src/generate/schema/common-status.ts';
import { reasons } from '../../../src/generate/reference/reasons.ts';
import { reference } from '../../../src/generate/reference/reference.ts';
import { schemaOf } from '../../../src/generate/schema/schema.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import { CloudAccess, CloudThing } from './sample-kind.ts';

const text = reference([CloudAccess, CloudThing], 'header');
/** Of a table of spec fields: those of a status have fewer cells. */
const line = (start: string): string => text.split('\n').findLast((one) => one.startsWith(start) && one.split('|').length > 5) ?? '';

describe('the reference', () => {
  it.each([
    ['region', '| `region` | string | required; 1 to 64 characters | refused; Replace under `lifecycle.replace: Allow` | Region slug'],
    ['sizeGiB', '| `sizeGiB` | integer | at least 10 | Reboot, only to a greater value | Capacity'],
    ['tags', '| `tags` | list of string | at most 100 items; tags that begin with co-'],
    ['instanceRef', '| `instanceRef` | object | set exactly one of name and external | InPlace; taking it away clears it | Instance'],
    ['instanceRef.name', '| `instanceRef.name` | string | 1 to 253 characters; a name has lower-case letters'],
    ['flavour', '| `flavour` | `plain`, `fancy` |  | refused; make another CloudThing | Chosen at creation'],
    ['passwordSecretRef', '| `passwordSecretRef` | object |  | Rebuild | Password'],
    ['notes', '| `notes` | string | at most 200 characters | no call of its own | For people only'],
  ])('says what an edit of %s does', (field, expected) => expect(line(`| \`${field}\` |`)).toContain(expected));
  it('has every field of every kind, its own or common to all', () => {
    const whole = reference(kinds, 'header');
    const [common = ''] = whole.split('## Conditions and reasons');
    const missing = kinds.flatMap((kind) => {
      const chapter = whole.split(`### ${kind.kind}\n`)[1]?.split('\n### ')[0] ?? '';
      const fields = Object.keys(schemaOf(kind).properties?.['spec']?.properties ?? {});
      return fields
        .filter((field) => ![common, chapter].some((text) => text.includes(`| \`${field}\` |`)))
        .map((field) => `${kind.kind} ${field}`);
    });
    expect(missing).toEqual([]);
  });
  it('lists the kinds with what deletion does', () =>
    expect(text).toContain('| [CloudThing](#cloudthing) | cthing | A thing, for tests of the generators. | Retain | Stall |'));
  it('says what the kind gives out, and what of it is secret', () => {
    expect(text).toContain('- `address`: Address of the thing.');
    expect(text).toContain('- `password` (secret): Password of the thing.');
  });
  it('gives the rules of the kind', () => expect(text).toContain('- label default is taken: choose another'));
  it('has the same cells in every row of a table', () => {
    const rows = text.split('\n').filter((one) => one.startsWith('|'));
    expect(rows.filter((row) => row.split(/(?<!\\)\|/).length < 4)).toEqual([]);
  });
});

describe.each(kinds.map((kind) => [kind.kind, kind] as const))('the reference of %s', (name, kind) => {
  const [, chapter = ''] = reference([kind], 'header').split(`\n### ${name}\n`);
  it('promises a replacement exactly where admission lets it through', () => {
    const promised = Object.keys(kind.fields).filter((field) =>
      chapter.split('\n').some((row) => row.startsWith(`| \`${field}\` |`) && row.includes('lifecycle.replace: Allow')),
    );
    const admitted = specRules(kind, []).filter(({ rule, fieldPath }) => rule.includes('lifecycle.replace') && fieldPath !== undefined);
    expect(promised.map((field) => `.${field}`)).toEqual(admitted.map(({ fieldPath }) => fieldPath));
  });
});

it('explains exactly the reasons that the engine has', () => expect(Object.keys(reasons).toSorted()).toEqual([...known].toSorted()));

/** The guide to troubleshooting is where whoever reads one of these at night looks it up. */
describe('the guide explains every word in capitals that', () => {
  const guide = readFileSync(new URL('../../../deploy/guides/troubleshooting.md', import.meta.url), 'utf8');
  const explained = new Set([...guide.matchAll(/^(?:### |- `)([A-Z]\w+)/gm)].map(([, word]) => word));
  /** Of texts that stand for a reason: what is compared with one, or told by kubectl, is none. */
  const otherwise = ['True', 'Normal', 'Warning'];
  it.each(['engine', 'kinds', 'plugin'])('the %s gives as a reason', (part) => {
    const folder = new URL(`../../../src/${part}/`, import.meta.url);
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const given = sources.flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(/\breason(?: =|:) ([^,;\n]*)/g)].flatMap(([, value = '']) =>
        [...value.matchAll(/'([A-Z][A-Za-z]+)'/g)].map(([, word]) => word ?? ''),
      ),
    );
    expect(new Set(given).size).toBeGreaterThan(2);
    expect(given.filter((word) => !explained.has(word) && !otherwise.includes(word))).toEqual([]);
  });
  it('a condition has as its reason, or an operation as its phase', () => {
    const phases = operationStatus.shape.phase.options;
    expect([...known, ...phases].filter((word) => !explained.has(word))).toEqual([]);
  });
});

/** A status field that no schema has would be pruned by the API server without a word. */
it('describes every field of a status that the engine writes', () => {
  const folder = new URL('../../../src/engine/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const written = sources.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/(?:\bcontext\.|[^\w.?])status\['(\w+)'\]/g)].map(([, field]) => field ?? ''),
  );
  expect(new Set(written).size).toBeGreaterThan(10);
  const known = {
    ...commonStatus.shape,
    ...issuedStatus.shape,
    ...namedStatus.shape,
    ...operationStatus.shape,
    ...rotationStatus.shape,
    ...spacedStatus.shape,
    ...transferStatus.shape,
  };
  expect(written.filter((field) => !(field in known))).toEqual([]);
});
