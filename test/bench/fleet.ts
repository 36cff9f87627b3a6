import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { kinds } from '../../src/generated/kinds.ts';
import type { ExportData } from '../../src/plugin/output/account-shapes.ts';
import type { Made } from './account-of-years.ts';
import type { Member } from './population.ts';
import { inAccount, typed } from './plugin.ts';
import type { Stage } from './stage.ts';

/** An account as `kubectl cloud export` writes it. */
export interface Fleet {
  readonly members: readonly Member[];
  /** Secrets that the manifests name. */
  readonly secrets: NonNullable<ExportData['secrets']>;
  readonly calls: number;
  readonly seconds: number;
  /** MB of 2^20 bytes, of the process of the plugin. */
  readonly memory: number;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Runs the built plugin over the account, before there is anything in the cluster. */
export async function exported(stage: Stage, namespace: string): Promise<Fleet> {
  const [folder, token] = [join(stage.folder, 'fleet'), join(stage.folder, 'token')];
  await mkdir(folder, { recursive: true });
  await writeFile(token, stage.emulator.ready.token);
  const where = ['--to', folder, '-n', namespace, '--layout', 'flat', '--no-cluster', ...inAccount(stage, token)];
  const { begun, seconds, memory } = await typed(stage, ['export', ...where]);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
  const manifests = await Promise.all(files.map(async (name) => parse(await readFile(join(folder, name), 'utf8')) as Manifest));
  const { secrets = [] } = JSON.parse(await readFile(join(folder, 'report.jsonl'), 'utf8')) as ExportData;
  const calls = (await stage.evidence.calls(begun)).length;
  return { members: membersOf(manifests), secrets, calls, seconds, memory };
}

const nothing = { path: '', body: {} };
const refOf = new Map(kinds.map(({ kind, parent }) => [kind, parent?.ref]));
/** With what each lies below. */
function membersOf(manifests: readonly Manifest[]): readonly Member[] {
  const plain = manifests.map(({ kind, metadata, spec }): Member => ({ kind, ...metadata, spec, post: nothing }));
  const byName = Map.groupBy(plain, ({ name }) => name);
  return plain.map((member) => {
    const ref = member.spec[refOf.get(member.kind) ?? ''] as { readonly name?: string } | undefined;
    const parent = byName.get(ref?.name ?? '')?.find(({ kind }) => kind !== member.kind);
    return parent === undefined ? member : { ...member, parent };
  });
}

/** Objects of the kinds that no export writes, for what is there; none of them asks for a change. */
export function besides({ instances, buckets }: Made, namespace: string, count: number): readonly Member[] {
  const few = Math.max(1, Math.round(count / 100));
  const lifecycle = { management: 'Observe', onDelete: 'Retain' };
  const one = (kind: string, name: string, spec: Member['spec']): Member => ({
    kind,
    namespace,
    name,
    spec: { ...spec, lifecycle },
    post: nothing,
  });
  return [
    // A tag has no id by which it could be looked at, and is taken over as it is.
    { ...one('CloudTag', 'bench', {}), spec: { label: 'bench', lifecycle: { onDelete: 'Retain' } } },
    one('CloudLongviewPlan', 'plan', { plan: 'Free' }),
    ...buckets
      .slice(0, few)
      .map((bucket, n) => one('CloudObjectACL', `acl${n}`, { bucketRef: { external: bucket }, object: 'img/logo.png', acl: 'private' })),
    ...instances
      .slice(0, few)
      .flatMap((id, n) => [
        one('CloudIPShare', `share${n}`, { instanceRef: { external: id }, addresses: [] }),
        one('CloudManagedInstanceSettings', `managed${n}`, { instanceRef: { external: id }, ssh: {} }),
      ]),
  ];
}
