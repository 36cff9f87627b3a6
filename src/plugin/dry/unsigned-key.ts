import { InstallationKey } from '../../engine/model/identity.ts';

/** Stands where a derived label ends in what only the operator's key can make. */
export const unknownOwner = '********';

/**
 * In place of the operator's key, which never leaves its namespace. What the cluster's objects bear as signed was judged by the
 * operator, so it is believed; and applied secrets are taken for those that were applied.
 */
export class UnsignedKey extends InstallationKey {
  constructor() {
    super(new Uint8Array(32));
  }
  override signed(): boolean {
    return true;
  }
  override ownerKey(): string {
    return unknownOwner;
  }
  override ownerKeys(): readonly string[] {
    return [unknownOwner];
  }
  override remembers(): boolean {
    return true;
  }
}
