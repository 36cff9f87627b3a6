import type { Row } from '../../resource/index.ts';
import { SharedMap } from '../../lib/shared-map.ts';
import { remotesBefore } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import type { Resource } from '../ports/index.ts';

/** What one object had applied out of Secrets to its remote, each as the HMAC that its status had, which is made with this uid, and what it was asked for. */
interface AppliedBefore {
  readonly uid: string;
  readonly applied: Row;
  /** How many remotes that object had before this one. */
  readonly remotesBefore: number;
  /** Value of annotation `rotate` that it noted last. */
  readonly rotated: unknown;
}
interface Noted extends AppliedBefore {
  readonly kind: string;
  readonly namespace: string;
  readonly bornAt: unknown;
}
type Of = Pick<Identity, 'account' | 'path'>;

/** So many remotes are known whose objects went, or lost their status; shared by namespace. */
const mostKept = 1000;

/** What was applied last to remotes whose objects went, or lost their status, while this process ran. */
export class AppliedBeforeMemory {
  readonly #by = new SharedMap<Noted>(mostKept);

  /** `object`: as it was seen last. */
  note({ account, path }: Of, object: Resource): void {
    const { kind, metadata, status = {} } = object;
    const { namespace, uid } = metadata;
    const applied = (status['applied'] ?? {}) as Row;
    this.#by.set(`${account}${path}`, namespace, {
      kind,
      namespace,
      uid,
      applied,
      remotesBefore: remotesBefore(object),
      rotated: status['rotated'],
      bornAt: status['bornAt'],
    });
  }
  /** Of the same kind and namespace: whether its own value is that of another team would tell what that one is. `bornAt`: of what is there now. */
  of({ account, path }: Of, { kind, metadata: { namespace } }: Resource, bornAt: unknown): AppliedBefore | undefined {
    const noted = this.#by.get(`${account}${path}`);
    return noted?.kind === kind && noted.namespace === namespace && noted.bornAt === bornAt ? noted : undefined;
  }
}
