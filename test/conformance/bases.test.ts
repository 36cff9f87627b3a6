import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/generated/kinds.ts';
import type { PlanData } from '../../src/plugin/output/plan-shape.ts';
import { cloud, dataOf, endpoint } from '../support/plugin/cloud-cli.ts';
import { hasRemote, type Row } from '../../src/resource/index.ts';
import type { World } from '../support/world/world.ts';
import { named } from './case.ts';
import { begin, edited, specOf } from './operated.ts';

type Entry = PlanData['objects'][number];
const manifest = (kind: string, name: string, spec: unknown, namespace = 'team-a'): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, namespace }, spec });

/** All that is in the cluster, as manifests. */
async function everything(world: World): Promise<readonly { readonly kind: string; readonly name: string; readonly text: string }[]> {
  const found = [];
  for (const { kind } of kinds) {
    const { items } = (await world.admin('GET', world.path(kind).replace('/namespaces/team-a', ''))) as unknown as {
      items: { metadata: { name: string; namespace: string }; spec: unknown }[];
    };
    found.push(...items.map(({ metadata: { name, namespace }, spec }) => ({ kind, name, text: manifest(kind, name, spec, namespace) })));
  }
  return found;
}

interface About {
  readonly world: World;
  readonly kind: string;
  readonly name: string;
}
const bases = {
  account: `-f edit.yaml --endpoint ${endpoint}`,
  cluster: '-f edit.yaml --against cluster',
  none: '-f new --base old --against none -n team-a',
};
async function planned({ world, kind, name }: About, base: keyof typeof bases, files: Record<string, string>): Promise<Entry> {
  const before = asked(world);
  const ran = await cloud(world, `plan ${bases[base]} -o json`, { files, limit: 600_000 });
  expect(ran.err).not.toContain('Error:');
  expect(base === 'account' || asked(world) === before).toBe(true);
  const entry = (dataOf(ran) as unknown as PlanData).objects.find((one) => one.kind === kind && one.name === name);
  if (entry === undefined) throw new Error(`no plan: ${ran.err}`);
  return entry;
}
/** How often the plugin has asked the account. */
const asked = (world: World): number => world.emulator.control.requests().filter(({ userAgent }) => userAgent.startsWith('kubectl')).length;

/** Files of a line, before an edit and after it. */
async function filesOf({ world, kind, name }: About, change: unknown): Promise<Record<string, string>> {
  const next = manifest(kind, name, change);
  const files: Record<string, string> = { 'edit.yaml': next };
  for (const { kind: of, name: its, text } of await everything(world)) {
    files[`old/${of}-${its}.yaml`] = text;
    files[`new/${of}-${its}.yaml`] = of === kind && its === name ? next : text;
  }
  return files;
}

const fieldOf = (text: string): string => /^(?:spec\.)?(\w+)/.exec(text)?.[1] ?? text;
const unknownIn = ({ unknown = [] }: Entry): readonly string[] => unknown.map(fieldOf);

/** What another change brings about, so that against the account it is not called one. */
const broughtAbout: Readonly<Record<string, readonly string[]>> = { CloudInstance: ['image Rebuild', 'power InPlace'] };

/** What a plan says of each field of which both know it, and of the whole where they do of all. */
function verdict(entry: Entry, unknown: readonly string[]) {
  const changes = entry.changes.filter(({ field }) => !unknown.includes(fieldOf(field))).map(({ field, effect }) => `${field} ${effect}`);
  const { action, needsApproval } = entry;
  return { changes: changes.toSorted(), ...(unknown.length === 0 && { action, needsApproval }) };
}
function pair(account: Entry, other: Entry) {
  const [said, told] = [verdict(account, unknownIn(other)), verdict(other, unknownIn(other))];
  const isBroughtAbout = JSON.stringify(told.changes) === JSON.stringify(broughtAbout[other.kind]) && said.changes[0] === told.changes[0];
  return { said, told: isBroughtAbout ? { ...told, changes: said.changes } : told };
}

/** Whatever an edit leaves as it was is known. */
const touched = (before: Row, after: Row): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );

describe('a plan says the same against the account, the cluster and nothing, and only knows less', () => {
  const made = named.filter(([, { kind }]) => hasRemote(kind));
  it.each(made)('%s: of each edit', { timeout: 120_000 }, async (kind, one) => {
    const { name } = one.fixture.sample;
    const { world } = await begin(one.fixture);
    const about = { world, kind, name };
    await world.apply(kind, name, specOf(one.fixture));
    await world.ready(kind, name);
    let before: Row = specOf(one.fixture);
    for (const change of edited(one)) {
      await world.clock.advance(120_000);
      const files = await filesOf(about, change);
      const account = await planned(about, 'account', files);
      for (const base of ['cluster', 'none'] as const) {
        const other = await planned(about, base, files);
        const { said, told } = pair(account, other);
        expect({ base, change, ...told }).toEqual({ base, change, ...said });
        expect(unknownIn(other).filter((field) => !touched(before, change).includes(field))).toEqual([]);
      }
      before = change;
      await world.apply(kind, name, change);
      await world.ready(kind, name);
      expect((await planned(about, 'cluster', files)).action).toBe('none');
    }
  });
  const refusing = made.filter(([, { fixture }]) => fixture.edits.some(({ refused }) => refused === true));
  it.each(refusing)('%s: of what is refused', { timeout: 120_000 }, async (kind, one) => {
    const { name } = one.fixture.sample;
    const { world } = await begin(one.fixture);
    const about = { world, kind, name };
    await world.apply(kind, name, specOf(one.fixture));
    await world.ready(kind, name);
    for (const { field, to, spec: written, with: more } of one.fixture.edits.filter(({ refused }) => refused === true)) {
      const files = await filesOf(about, specOf(one.fixture, { ...more, [field]: written ?? to }));
      for (const base of ['account', 'cluster', 'none'] as const) {
        const { action } = await planned(about, base, files);
        expect({ base, field, action }).toEqual({ base, field, action: 'refused' });
      }
    }
  });
});
