/** What a verb makes of a target of some kind, where that is no operation but an object that stays. */
export interface Kept {
  readonly kind: string;
  /** Field that names the target. */
  readonly of: string;
  /** Fields that the line may give. */
  readonly takes: readonly string[];
}

/** By verb and kind of the target. Only who types needs it. */
export const kept: Readonly<Record<string, Readonly<Record<string, Kept>>>> = {
  snapshot: { CloudDatabase: { kind: 'CloudDatabaseBackup', of: 'databaseRef', takes: ['label', 'target'] } },
};
