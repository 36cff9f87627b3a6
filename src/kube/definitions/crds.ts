import { KubeError } from '../../engine/ports/index.ts';
import { version } from '../api-group.ts';
import { kubePath } from '../http/client.ts';
import type { KubeClient } from '../http/client.ts';
import { shortcomings } from './crd-fit.ts';
import { isMissing } from '../http/status-error.ts';

export const schemaHashAnnotation = 'cloudhosting.dev/schema-hash';

export interface ExpectedCrd {
  readonly kind: string;
  /** For example `cloudvolumes.cloudhosting.dev`. */
  readonly name: string;
  readonly schemaHash: string;
  /** Asked for only where the hash is another: making it takes time. */
  readonly schema: () => object;
}
/** Why a kind must not be written: an older CRD silently drops the fields that it does not know. */
export interface CrdMismatch {
  readonly kind: string;
  readonly problem: 'missing' | 'differs' | 'unreadable';
  readonly message: string;
}
interface RawCrd {
  readonly metadata: {
    readonly name: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}
interface WholeCrd extends RawCrd {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly subresources?: { readonly status?: unknown };
      readonly schema?: { readonly openAPIV3Schema?: object };
    }[];
  };
}

/** As in the name of its CRD, `cloudaddresses.cloudhosting.dev`. */
export const pluralOf = (crds: readonly Pick<ExpectedCrd, 'kind' | 'name'>[], kind: string): string =>
  crds.find((one) => one.kind === kind)?.name.split('.')[0] ?? `${kind.toLowerCase()}s`;

/** A whole hash looks like a secret, and the log would mask it. */
const short = (hash: string | undefined): string => hash?.slice(0, 12) ?? '(unknown)';

const at = (name: string): string => kubePath('apis', 'apiextensions.k8s.io', 'v1', 'customresourcedefinitions', name);

/** Compares each served CRD with ours. Rejects with `KubeError` when the API server cannot be asked now. */
export async function checkCrds(
  client: KubeClient,
  expected: readonly ExpectedCrd[],
  signal: AbortSignal,
): Promise<readonly CrdMismatch[]> {
  const results = await Promise.all(expected.map((crd) => checkCrd(client, crd, signal)));
  return results.filter((result) => result !== undefined);
}

async function checkCrd(client: KubeClient, crd: ExpectedCrd, signal: AbortSignal): Promise<CrdMismatch | undefined> {
  const { kind, name } = crd;
  try {
    const { metadata } = (await client.request({ path: at(name), metadataOnly: true, signal })) as RawCrd;
    const served = metadata.annotations?.[schemaHashAnnotation];
    if (served === crd.schemaHash) return undefined;
    const lack = await lackOf(client, crd, signal);
    if (lack === undefined) return undefined;
    const message = `CRD ${name} has schema ${short(served)}, this operator was built for ${short(crd.schemaHash)}, and what it writes would be lost or refused (${lack}): apply the CRDs of this release (cloud-operator crds --apply)`;
    return { kind, problem: 'differs', message };
  } catch (error) {
    if (isMissing(error))
      return {
        kind,
        problem: 'missing',
        message: `CRD ${name} is not installed: apply the CRDs of this release (cloud-operator crds --apply)`,
      };
    if (!(error instanceof KubeError) || error.fault !== 'Forbidden') throw error;
    return {
      kind,
      problem: 'unreadable',
      message: `CRD ${name} cannot be read: allow "get" on customresourcedefinitions to the operator's ServiceAccount (${error.message})`,
    };
  }
}

/** Of a CRD of another release: what it does not keep of ours. A newer one that only has more fits, so that an operator can be rolled back alone. */
async function lackOf(client: KubeClient, crd: ExpectedCrd, signal: AbortSignal): Promise<string | undefined> {
  const { spec } = (await client.request({ path: at(crd.name), signal })) as WholeCrd;
  const ours = spec.versions.find(({ name }) => name === version);
  if (ours?.served !== true || !ours.storage) return `it does not serve and store ${version}`;
  if (ours.subresources?.status === undefined) return 'it has no subresource status';
  const [first, ...more] = shortcomings(crd.schema(), ours.schema?.openAPIV3Schema ?? {});
  return more.length === 0 ? first : `${first}, and ${more.length} more`;
}

export async function isCrdLeaving(client: KubeClient, { name }: ExpectedCrd, signal: AbortSignal): Promise<boolean> {
  try {
    const { metadata } = (await client.request({ path: at(name), metadataOnly: true, signal })) as RawCrd;
    return metadata.deletionTimestamp !== undefined;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

/** Installs or updates CRDs by server-side apply; fields that others own and we do not send stay. */
export async function applyCrds(client: KubeClient, crds: readonly RawCrd[], fieldManager: string, signal: AbortSignal): Promise<void> {
  for (const crd of crds) {
    await client.request({
      method: 'PATCH',
      path: at(crd.metadata.name),
      query: { fieldManager, force: true },
      contentType: 'application/apply-patch+yaml',
      body: crd,
      signal,
    });
  }
}
