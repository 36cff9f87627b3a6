import { describe, expect, it } from 'vitest';
import { reasons } from '../../src/engine/model/outcome.ts';
import type { Resource } from '../../src/engine/ports/kubernetes.ts';
import { commands } from '../../src/plugin/commands.ts';
import { registry } from '../../src/plugin/kinds.ts';
import { commandsFor, todoOf } from '../../src/plugin/why/actions.ts';
import type { AnyKind, Row } from '../../src/resource/index.ts';
import { refusedStatus } from '../support/refused-status.ts';
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
