import * as z from 'zod';
import { bearsKey, checked, openEnum, optional, path, put, type RemoteId, type SeenMark, slug } from '../../resource/index.ts';

/** The fields of a row of `GET /lke/clusters/{id}/pools` that this operator reads. */
export const Pool = z.object({
  id: z.number(),
  type: z.string(),
  count: z.number(),
  autoscaler: z.object({ enabled: z.boolean(), min: z.number(), max: z.number() }),
  disks: z.array(z.object({ size: z.number(), type: z.string() })).nullish(),
  tags: z.array(z.string()).nullish(),
  nodes: z.array(z.object({ id: z.string(), instance_id: z.number().nullish(), status: openEnum('ready', 'not_ready') })),
});
export type Pool = z.output<typeof Pool>;

/** What the spec says of one, resolved. */
export interface PoolWish {
  readonly type: string;
  readonly count: number;
  readonly autoscaler?: Autoscaler | undefined;
  readonly disks?: readonly { readonly sizeMB: number; readonly type: string }[] | undefined;
  readonly tags?: readonly string[] | undefined;
}
export interface Autoscaler {
  readonly enabled: boolean;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

const noMark = {
  rule: "!self.startsWith('pool=')",
  message: 'tags that begin with pool= tell the operator whose a pool is: choose another',
};
const size = () => z.int().min(1).max(100);

/** Fields of a pool, as its user writes them. */
export const poolFields = {
  type: slug().describe('Plan of all its nodes, for example `g6-standard-2`. Cannot be changed.'),
  count: size().describe(
    'Number of nodes, 1 to 100, for example 3. Fewer: nodes are deleted, with what is on their disks. Not compared while the autoscaler is on.',
  ),
  autoscaler: optional(
    z
      .object({
        enabled: z.boolean().describe('True: the service adds and removes nodes by itself.'),
        min: optional(size(), 'Fewest nodes, 1 to 100. Goes with max. Absent: left alone, `count` at creation.'),
        max: optional(size(), 'Most nodes, 1 to 100, at least min. Goes with min. Absent: left alone, `count` at creation.'),
      })
      .meta({
        'x-kubernetes-validations': [
          { rule: 'has(self.min) == has(self.max)', message: 'min and max go together: write both, or leave both out' },
          { rule: '!has(self.min) || !has(self.max) || self.min <= self.max', message: 'min is greater than max: swap them, or raise max' },
        ],
      }),
    'Lets the service choose the number of nodes, for example `{enabled: true, min: 1, max: 8}`. Absent: left alone, off at creation.',
  ),
  disks: optional(
    z
      .array(
        z.object({
          sizeMB: z.int().min(1).max(10_000_000).describe('Size in MB; all together no more than the plan has.'),
          type: z.enum(['raw', 'ext4']).describe('File system, `raw` for none.'),
        }),
      )
      .max(7),
    'Partitions of each node beside the one that it boots from, at most 7, for example `[{sizeMB: 1024, type: raw}]`. Cannot be changed. Absent: none.',
  ),
  tags: optional(
    z.array(checked(z.string().min(3).max(50), noMark)).max(60),
    'Tags of the pool in the cloud account, 3 to 50 characters each, for example `[batch]`; compared as a set. Needs an unrestricted user. Absent: left alone; `[]`: none.',
  ),
};
/** Where a schema of its own stands in the way of the rule for each tag. */
export const noMarks = {
  rule: "!has(self.tags) || self.tags.all(tag, !tag.startsWith('pool='))",
  message: noMark.message,
};

const prefix = 'pool=';
/** Marks end in a key of 8 characters. */
export const markOf = (name: string, key: string): string => `${prefix}${name}-${key}`;
export const isMark = (tag: string): boolean => tag.startsWith(prefix);
const marksOf = (tags: unknown): readonly string[] => (Array.isArray(tags) ? tags.map(String).filter(isMark) : []);

/** The name in a mark that was made with one of these keys; undefined: it bears none of them. */
export function markedName(tags: unknown, keys: readonly string[] = []): string | undefined {
  const own = marksOf(tags).find((tag) => bearsKey(tag, keys));
  return own?.slice(prefix.length, -9);
}
/** Every mark on it, whoever made that. */
export const seenMarks = ({ tags }: Pick<Pool, 'tags'>): readonly SeenMark[] =>
  marksOf(tags).map((tag) => ({ tag, name: tag.slice(prefix.length, -9) }));
/** It bears a mark of this name, whoever made that. */
export const isNamed = ({ tags }: { readonly tags?: readonly string[] | null | undefined }, name: string): boolean =>
  marksOf(tags).some((tag) => tag.slice(0, -8) === markOf(name, ''));

/** Somebody says whose it is, in whichever way. */
export const isMarked = ({ tags }: Pick<Pool, 'tags'>): boolean => marksOf(tags).length > 0;
/** Those that users may write. */
export const userTags = ({ tags }: Pick<Pool, 'tags'>): readonly string[] => (tags ?? []).filter((tag) => !isMark(tag));

/** The call that gives it these marks in place of its own, in words. */
export function retag(cluster: RemoteId, pool: Pick<Pool, 'id' | 'tags'>, marks: readonly string[]): string {
  const call = put(path`/lke/clusters/${cluster}/pools/${pool.id}`, { tags: [...userTags(pool), ...marks] });
  return `${call.method} ${call.path} ${JSON.stringify(call.body)}`;
}

/** Such as it is asked for, in what cannot be changed. */
export const fits = ({ type, disks }: PoolWish, pool: Pool): boolean =>
  pool.type === type &&
  (disks === undefined ||
    JSON.stringify(pool.disks ?? []) === JSON.stringify(disks.map((disk) => ({ size: disk.sizeMB, type: disk.type }))));

export const readyNodes = ({ nodes }: Pool): number => nodes.filter(({ status }) => status === 'ready').length;

export const isWhole = (pool: Pool): boolean => readyNodes(pool) >= pool.count;
export const nodeIds = ({ nodes }: Pool): readonly string[] => nodes.map(({ id }) => id);

/** The service chooses the number of its nodes, as the spec says or, where that leaves it alone, as the account has it. */
export const isScaled = (pool: Pick<Pool, 'autoscaler'>, wish: Pick<PoolWish, 'autoscaler'>): boolean =>
  (wish.autoscaler ?? pool.autoscaler).enabled;

/** Its autoscaler is as it is asked for; bounds that are left out are left alone. */
export const hasScaler = ({ autoscaler }: Pool, { enabled, min = autoscaler.min, max = autoscaler.max }: Autoscaler): boolean =>
  enabled === autoscaler.enabled && min === autoscaler.min && max === autoscaler.max;

/** What it lets a pool have; undefined while it is off. */
export const mostNodes = ({ enabled, max = 0 }: Partial<Autoscaler> = {}): number | undefined => (enabled === true ? max : undefined);

/** The part of a create that makes it. */
export const poolBody = ({ type, count, autoscaler, disks, tags }: PoolWish, marks: readonly string[]) => ({
  type,
  count,
  ...(autoscaler && { autoscaler: { ...autoscaler } }),
  ...(disks && { disks: disks.map((disk) => ({ size: disk.sizeMB, type: disk.type })) }),
  ...((tags !== undefined || marks.length > 0) && { tags: [...(tags ?? []), ...marks] }),
});
