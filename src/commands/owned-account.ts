import type { Resource } from '../engine/ports/index.ts';
import type { OwnedAccount } from '../telemetry/owner-metrics.ts';

const count = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** A CloudAccount as its owner's alerts see it. */
export const ownedAccount = ({ metadata, spec, status = {} }: Resource): OwnedAccount => ({
  namespace: metadata.namespace,
  account: typeof status['account'] === 'string' ? status['account'] : '',
  readOnly: spec['mode'] === 'ReadOnly',
  missingScopes: count(status['missingScopes']),
  maintenance: count(status['maintenance']),
  held: count(status['held']),
});
