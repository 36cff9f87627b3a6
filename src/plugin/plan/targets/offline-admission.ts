import { schemaOf } from '../../../generate/schema/schema.ts';
import { group, version } from '../../../generate/names.ts';
import type { Row } from '../../../resource/index.ts';
import { broken } from '../../admission/cel.ts';
import { misfits } from '../../admission/misfits.ts';
import type { Manifest } from './manifests.ts';

/** Why the API server would refuse a manifest, as far as its CRD says it; policies and quotas only the cluster knows. */
export function refusedOffline(manifest: Manifest, before: Manifest | undefined): string | undefined {
  const { kind, apiVersion, beside } = manifest;
  const known = `${group}/${version}`;
  if (apiVersion !== known) return `apiVersion ${apiVersion} is not served by this release: write ${known}`;
  const schema = schemaOf(kind);
  const wrong = [
    ...Object.keys(beside).map((name) => `unknown field "${name}"`),
    ...misfits(schema.properties?.['spec'] ?? {}, manifest.spec, 'spec'),
  ];
  if (wrong.length > 0) return wrong.join(', ');
  // What was there before counts as what the account has.
  const rules = broken(schema, wholeOf(manifest, before?.spec), before && wholeOf(before, before.spec));
  return rules.length === 0 ? undefined : [...new Set(rules)].join(', ');
}

const wholeOf = ({ name, namespace, spec }: Manifest, status: Row = {}): Row => ({ metadata: { name, namespace }, spec, status });
