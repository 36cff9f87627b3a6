import { describe, expect, it } from 'vitest';
import type { ClusterContext } from '../../src/engine/context.ts';
import { cannotBeMade } from '../../src/engine/guard/cannot-be-made.ts';
import { reasons } from '../../src/engine/model/outcome.ts';
import { fixedIn } from '../../src/engine/model/policy.ts';
import { unlisted, unlistedText } from '../../src/engine/plan/catalogue.ts';
import type { Resource } from '../../src/engine/ports/kubernetes.ts';
import { commands } from '../../src/plugin/commands.ts';
import { registry } from '../../src/plugin/command-line/kinds.ts';
import { commandsFor, todoOf } from '../../src/plugin/why/actions.ts';
import type { AnyKind, AnyWant, Row } from '../../src/resource/index.ts';
import { refusedStatus } from '../support/status/refused-status.ts';
import { refusals, refusalsOfUpdate } from './admission.ts';
import { type Case, merged, named } from './case.ts';

const account = named.find(([name]) => name === registry.connection.kind)?.[1] as Case;

/** Another value of the same form. */
function changed(value: unknown): unknown {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value))
    return [...(value as unknown[]), ...(value as unknown[]).slice(0, 1).map(changed), ...(value.length === 0 ? ['x'] : [])];
  return Object.fromEntries(Object.entries(value as Row).map(([key, inner]) => [key, changed(inner)]));
}
const isRefused = (kind: AnyKind, spec: Row, field: string): boolean =>
  refusalsOfUpdate(kind, { ...spec, [field]: changed(spec[field]) }, spec).some((text) => text.startsWith(`${field} cannot be changed`));

const objectWith = (
  kind: AnyKind,
  spec: Row,
  reason: string,
  { message, path }: { readonly message: string; readonly path?: string },
): Resource => ({
  kind: kind.kind,
  metadata: { namespace: 'shop', name: 'one', uid: 'u', generation: 1, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec,
  status: {
    ...(path !== undefined && { path }),
    observedGeneration: 1,
    ...refusedStatus(reason, message),
  },
});

type Reason = (typeof reasons)[number];
const verbs = new Set(commands.map(({ name }) => name));
/** `kubectl -n shop patch cloudvolume one --type=merge -p '{...}'`, or a verb of ours. */
const line = /^kubectl (?:-n \S+ (edit|patch|delete|annotate|describe) (\S+) \S+(.*)|cloud (\S+).*)$/;

/** One key of the Secret of the token, piped into a patch of it that leaves its other keys. */
const secretLine =
  /^kubectl create secret generic (\S+) --from-literal=(\S+)="\$\w+" --dry-run=client -o json \| kubectl -n shop patch secret (\S+) --type=merge --patch-file=\/dev\/stdin$/;
function isTokenPut(
  advised: string,
  { tokenSecretRef }: { readonly tokenSecretRef?: { readonly name: string; readonly key?: string } },
): boolean {
  const [, made, key, patched] = secretLine.exec(advised) ?? [];
  return made !== undefined && made === patched && made === tokenSecretRef?.name && key === (tokenSecretRef.key ?? 'token');
}

/** What the API server would say to this patch. */
function refusedPatch(rest: string, whose: AnyKind, before: Row): { readonly said: readonly string[]; readonly after: Row } {
  const { spec } = JSON.parse(/-p '(.*)'$/.exec(rest)?.[1] ?? '') as { readonly spec: Row };
  const after = merged(before, spec);
  return { said: refusals(whose, after, before), after };
}

/** Of all that the message names nothing may be edited, and nothing else is advised that may. */
function isVain(kind: AnyKind, spec: Row, { message, todo }: { readonly message: string; readonly todo: string }): boolean {
  const [, field] = /spec\.(\w+)/.exec(message) ?? [];
  if (field === undefined || !isRefused(kind, spec, field)) return false;
  return (
    !todo.includes('lifecycle.ignoreFields') || refusals(kind, merged(spec, { lifecycle: { ignoreFields: [field] } }), spec).length > 0
  );
}

interface Situation {
  readonly message: string;
  readonly path?: string;
}
/** The lines that would be refused, in their order: each comes on top of those before it. */
function refusedLines({ kind, fixture }: Case, reason: Reason, situation: Situation): readonly string[] {
  const object = objectWith(kind, fixture.sample.spec, reason, situation);
  const told = { message: situation.message, todo: todoOf(reason, object) };
  let now: Row = fixture.sample.spec;
  return commandsFor(reason, object).filter((advised) => {
    const [, verb, what, rest = '', cloud = ''] = line.exec(advised) ?? [];
    if (verb === undefined) return !verbs.has(cloud) && !isTokenPut(advised, account.fixture.sample.spec);
    if (what !== kind.kind.toLowerCase())
      return verb === 'patch' && refusedPatch(rest, account.kind, account.fixture.sample.spec).said.length > 0;
    if (verb === 'edit') return isVain(kind, now, told);
    if (verb !== 'patch') return false;
    const { said, after } = refusedPatch(rest, kind, now);
    now = after;
    return said.length > 0;
  });
}

describe.each(named)('what is advised about a %s', (_, one) => {
  const { kind, fixture } = one;
  const fields = Object.keys(fixture.sample.spec).filter((field) => Object.hasOwn(kind.spec.shape, field));
  const situations: readonly Situation[] = ['', ...fields.map((field) => `the API refused POST /x: spec.${field}: no`)].flatMap(
    (message) => [{ message }, { message, path: '/x/1' }],
  );

  it.each(reasons)('%s is taken by the API server', (reason) => {
    // Of annotations alone, whatever the fields are.
    const all = reason === 'IdentityConflict' ? situations.slice(0, 2) : situations;
    expect(
      all.map((situation) => [situation, refusedLines(one, reason, situation)] as const).filter(([, refused]) => refused.length > 0),
    ).toEqual([]);
  });
});

/** An object without a remote, of an account that says nothing of its own. */
const unmade = (kind: AnyKind, spec: Row): ClusterContext =>
  ({
    kind,
    account: { key: { namespace: 'ops', name: 'default' }, access: [] },
    object: objectWith(kind, spec, 'Creating', { message: '' }),
  }) as unknown as ClusterContext;
const without = <T extends Row>(row: T, field: string): T => ({ ...row, [field]: undefined });
const cleaned = (spec: Row): Row => Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));

interface Refusal {
  readonly field: string;
  readonly message: string;
  /** As it was refused, and as whoever follows the message would write it. */
  readonly before: Row;
  readonly after: Row;
}
/** What is said of a field that is not there, or that names what the service has not got. */
function refusalsOf({ kind, fixture }: Case): readonly Refusal[] {
  const { sample, want } = fixture as unknown as { readonly sample: { readonly spec: Row }; readonly want: AnyWant };
  return Object.keys(kind.fields).flatMap((field) => {
    const before = cleaned(without(sample.spec, field));
    const after = { ...before, [field]: sample.spec[field] ?? 'us-east' };
    // What admission takes without it.
    const lacking = refusals(kind, before).length === 0 ? cannotBeMade(unmade(kind, before), without(want, field)) : undefined;
    const wrong = { ...sample.spec, [field]: 'nowhere' };
    const unknown = unlistedText(
      unlisted(kind, { ...want, [field]: 'nowhere' }, [field], () => [{ id: 'us-east' }]),
      fixedIn(unmade(kind, wrong), [field]),
    );
    return [
      ...(lacking !== undefined && 'message' in lacking && lacking.message.startsWith(`spec.${field}: `)
        ? [{ field, message: lacking.message, before, after }]
        : []),
      ...(unknown === undefined ? [] : [{ field, message: unknown, before: wrong, after: { ...wrong, [field]: 'us-east' } }]),
    ];
  });
}

const told = named.filter(([, one]) => refusalsOf(one).length > 0);
const advisesAnew = (message: string): boolean => message.includes('delete it and apply the corrected one');

describe('what is said of a field that is missing, or names what is not there', () => {
  it.each(told)('of a %s is taken by the API server: an edit where it takes one, else another object', (_, one) => {
    const vain = refusalsOf(one).filter(({ field, message, before, after }) => {
      const isTaken = !refusalsOfUpdate(one.kind, after, before).some((text) => text.includes(`${field} cannot be`));
      return isTaken === advisesAnew(message);
    });
    expect(vain).toEqual([]);
  });
  it.each(told)('of a %s is mended by the lines of why', (_, { kind, ...one }) => {
    const vain = refusalsOf({ kind, ...one }).filter(({ message, before }) => {
      const lines = commandsFor('InvalidSpec', objectWith(kind, before, 'InvalidSpec', { message }));
      return lines.some((advised) => advised.includes(' delete ')) !== advisesAnew(message);
    });
    expect(vain).toEqual([]);
  });
  it('is known of each kind that is made in a region', () =>
    expect(told.map(([name]) => name)).toEqual(
      expect.arrayContaining(
        named.filter(([, { kind }]) => kind.fields['region']?.immutable === true && kind.fields['region'].catalogue).map(([name]) => name),
      ),
    ));
  it('names no edit that is refused', () => {
    const all = told.flatMap(([, one]) => refusalsOf(one)).filter(({ message }) => advisesAnew(message));
    expect(all.filter(({ message, field }) => new RegExp(`write one of them|\\b(add|set|write) spec\\.${field}\\b`).test(message))).toEqual(
      [],
    );
  });
});
