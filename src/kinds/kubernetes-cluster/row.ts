import * as z from 'zod';

/** The fields of `GET /lke/clusters/{id}` that this operator reads. Its `status` is `ready` from the first answer on, and tells nothing. */
export const Cluster = z.object({
  id: z.number(),
  label: z.string(),
  region: z.string(),
  k8s_version: z.string(),
  control_plane: z.object({ high_availability: z.boolean() }),
  tags: z.array(z.string()).nullish(),
  created: z.string(),
});
/** Null until the API server of the cluster answers. */
export const Endpoints = z.array(z.object({ endpoint: z.string() })).nullable();
export const Dashboard = z.object({ url: z.string() }).nullable();
export const Kubeconfig = z.object({ kubeconfig: z.string() });

/** What is not of ASCII is told as escapes. */
export const plain = (label: unknown): unknown =>
  typeof label === 'string'
    ? label.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : label;

/** Not read is not the same as not there: then it is as it was. */
export const answers = (read: z.output<typeof Endpoints> | undefined, before: readonly string[] | undefined): boolean =>
  read === undefined ? (before?.length ?? 0) > 0 : read !== null;

/** The file itself; nothing where something else stands in its place, so that what was given out before stays. */
export function fileIn(told: z.output<typeof Kubeconfig> | undefined): string | undefined {
  const text = Buffer.from(told?.kubeconfig ?? '', 'base64').toString();
  return text.includes('apiVersion') ? text : undefined;
}

export const tooMany = (count: number, mayTag: boolean | undefined): string | undefined =>
  count > 1 && mayTag === false
    ? `spec.nodePools names ${count} pools, and the user of the token is restricted and cannot mark them. Keep the first here and make the others CloudNodePool objects, or use a token of an unrestricted user`
    : undefined;
