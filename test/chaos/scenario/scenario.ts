import type { AnyKind, Row } from '../../../src/resource/index.ts';
import { fixtures } from '../../conformance/case.ts';
import type { AnyFixture } from '../../conformance/fixture.ts';
import { neededBy } from '../../support/samples/needed.ts';
import { wholeLifecycle } from '../../support/samples/whole-lifecycle.ts';
import type { Corner } from './corner.ts';

/** One object to be applied: a kind's sample, with a lifecycle under which every step may be taken. */
export interface Manifest {
  readonly kind: string;
  readonly name: string;
  readonly spec: Row;
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What is done to the object while a fault strikes. */
export type Operation =
  | { readonly id: string; readonly is: 'create' }
  | { readonly id: string; readonly is: 'delete' }
  /** With `rotates` nothing of the spec changes: a person asks for another secret. */
  | { readonly id: string; readonly is: 'update'; readonly spec: Row; readonly rotates?: true };

/** One operation on one kind's sample, at one corner of what is not known of the service. */
export interface Scenario {
  readonly kind: AnyKind;
  readonly subject: Manifest;
  /** What the subject refers to, ready before the operation begins. */
  readonly needs: readonly Manifest[];
  readonly operation: Operation;
  readonly corner: Corner;
  /** What the account holds besides when it begins: by collection one row, in which `'$web'` is the id of that need. */
  readonly holds?: Readonly<Record<string, Row>>;
  /** The one family that it is made for; absent: all that plan for its corner. */
  readonly only?: string;
  /** The reference in the subject that the scenario is about. */
  readonly reference?: Reference;
}

/** A field of the subject's spec that names another object. */
export interface Reference {
  readonly field: string;
  readonly target: Manifest;
  /** What the target itself refers to, and must be where it is. */
  readonly targetNeeds: readonly Manifest[];
  /** The target may admit other namespaces. */
  readonly shared: boolean;
  /** The target's kind is the subject's. */
  readonly same: boolean;
  /** The same spec with another reference in the field's place. */
  readonly naming: (reference: Row) => Row;
}

export const scenarioId = ({ kind, operation, corner }: Scenario): string =>
  `${kind.kind}/${operation.id}${corner.id === '' ? '' : `@${corner.id}`}`;

/** In front of every secret of a fixture: whatever shows five characters of it has leaked it. */
export const secretCanary = 'Vx9qZ-';
export const tokenCanary = 'Kq7vXm2Zr9Wt4Lp8Yd3Nc6Hf1Bs5Jg0A';

export const kindOf = (fixture: AnyFixture): AnyKind => fixture.kind as AnyKind;
const isConnection = (fixture: AnyFixture): boolean => kindOf(fixture).mode === 'connection';

export function manifestOf(fixture: AnyFixture, name: string, change: Row): Manifest {
  const secrets = Object.entries(fixture.secrets ?? {}).map(([secret, data]) => [
    secret,
    Object.fromEntries(Object.entries(data).map(([key, value]) => [key, `${secretCanary}${value}`])),
  ]);
  const { kind } = kindOf(fixture);
  if (isConnection(fixture))
    return { kind, name: 'default', spec: connected({ ...fixture.sample.spec, ...change }), secrets: {}, configMaps: {} };
  return {
    kind,
    name,
    spec: { ...fixture.sample.spec, lifecycle: wholeLifecycle(kindOf(fixture)), ...change },
    secrets: Object.fromEntries(secrets) as Manifest['secrets'],
    configMaps: fixture.configMaps ?? {},
  };
}

/** The sample's account, by the one endpoint and token that a world has. */
const connected = (spec: Row): Row => ({
  ...spec,
  endpoint: 'main',
  tokenSecretRef: { name: 'cloud-token', key: 'token' },
  pollIntervalSeconds: 60,
});

/** Needs that the specs name, and those that the needs themselves do: what nothing refers to is not made. */
export function needsOf(fixture: AnyFixture, ...specs: readonly Row[]): readonly Manifest[] {
  const all = Object.entries(fixture.needs ?? {}).flatMap(([name, { kind, spec }]) => {
    const known = fixtures.find((one) => kindOf(one).kind === kind);
    return known === undefined ? [] : [manifestOf(known, name, spec ?? {})];
  });
  return neededBy(all, specs);
}

export function updatesOf(fixture: AnyFixture, subject: Manifest): readonly Extract<Operation, { is: 'update' }>[] {
  const counts = new Map<string, number>();
  return fixture.edits
    .filter((edit) => edit.refused !== true && edit.admissionOnly !== true)
    .map(({ field, to, spec, with: more }) => {
      const n = (counts.get(field) ?? 0) + 1;
      counts.set(field, n);
      const edited: Row = { ...subject.spec, ...more, [field]: spec ?? to };
      const kept = Object.entries(edited).filter(([, value]) => value !== undefined);
      return { id: `update.${field}${n === 1 ? '' : `.${n}`}`, is: 'update', spec: Object.fromEntries(kept) };
    });
}

/** Only unrestricted users may tag. */
function withoutTags(manifest: Manifest): Manifest {
  const kept = Object.entries(manifest.spec).filter(([field]) => field !== 'tags');
  return { ...manifest, spec: Object.fromEntries(kept) };
}

/** Every operation that a fixture knows, at one corner. */
export function scenariosOf(fixture: AnyFixture, corner: Corner): readonly Scenario[] {
  const allowed = (manifest: Manifest): Manifest => (corner.restricted === true ? withoutTags(manifest) : manifest);
  const subject = allowed(manifestOf(fixture, fixture.sample.name, {}));
  const ways = Object.entries(fixture.ways ?? {}).map(([way, change]): Scenario => {
    const made = allowed(manifestOf(fixture, fixture.sample.name, change));
    const spec = Object.fromEntries(Object.entries(made.spec).filter(([, value]) => value !== undefined));
    const needs = needsOf(fixture, spec).map(allowed);
    const holds = fixture.waysHold?.[way] ?? {};
    return { kind: kindOf(fixture), subject: { ...made, spec }, needs, operation: { id: `create.${way}`, is: 'create' }, corner, holds };
  });
  const operations: readonly Operation[] = [
    { id: 'create', is: 'create' },
    ...updatesOf(fixture, subject),
    ...(kindOf(fixture).rotation === undefined ? [] : [{ id: 'rotate', is: 'update', spec: subject.spec, rotates: true } as const]),
    { id: 'delete', is: 'delete' },
  ];
  const usual = operations.map((operation) => ({
    kind: kindOf(fixture),
    subject,
    needs: needsOf(fixture, subject.spec, operation.is === 'update' ? operation.spec : {}).map(allowed),
    operation,
    corner,
  }));
  return [...usual, ...ways];
}

export const fixturesOf = (kind: string | undefined): readonly AnyFixture[] =>
  fixtures.filter((fixture) => kind === undefined || kindOf(fixture).kind === kind);
