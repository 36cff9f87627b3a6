import * as z from 'zod';

/** What a key may do in one bucket, which it names as it is called: whatever comes to be called so, it opens. */
export const Grant = z.object({ cluster: z.string(), bucket_name: z.string(), permissions: z.string() });
export type Grant = z.output<typeof Grant>;

/** One of these opens the bucket. A key without a list opens all there are, which its owner was told. */
export const opens = (access: unknown, { cluster, label }: { readonly cluster: string; readonly label: string }): boolean =>
  Array.isArray(access) && (access as Partial<Grant>[]).some((one) => one.cluster === cluster && one.bucket_name === label);
