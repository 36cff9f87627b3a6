import { createHash } from 'node:crypto';
import * as z from 'zod';
import { accountIds, prefixedIds } from '../schema.ts';

/** CEL over one field, for grammar whose refusal must say what to write instead; a bare pattern only quotes itself. */
export const checked = <T extends z.ZodType>(schema: T, ...rules: readonly { readonly rule: string; readonly message: string }[]): T =>
  schema.meta({ 'x-kubernetes-validations': rules });

/** What all elements of a list may hold together: a few objects with long lists of long texts would fill the operator's memory. */
export const together = <T extends z.ZodArray>(list: T, { length = 'size(one)', most, message }: Together): T =>
  checked(list, { rule: `self.map(one, ${length}).sum() <= ${most}`, message });
interface Together {
  /** CEL: how long `one` is. */
  readonly length?: string;
  readonly most: number;
  readonly message: string;
}

/** Public keys of those who may log in as root, in full. */
export const publicKeys = () =>
  together(z.array(z.string().min(1).max(8192)).max(100), {
    most: 65_536,
    message:
      'authorizedKeys are longer than 65536 characters together: name users with authorizedUsers instead, whose keys the account has',
  });

/** Tags of kinds that have them; the CRD refuses those of the operator (`co-`) by itself. */
export const tagList = (): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z
    .array(z.string().min(3).max(50))
    .max(64)
    .optional()
    .describe(
      'Tags in the cloud account, 3 to 50 characters each, for example `[data, prod]`; compared as a set. Needs an unrestricted user. Absent: left alone; `[]`: none.',
    );

/** An id out of one of the service's catalogues; which of them exist is for the service to say. */
export const slug = () =>
  z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/)
    .max(100);

/** Why nothing can be made where neither the spec nor the account says where. */
export const noRegion =
  'spec.region: neither it nor defaults.region of the CloudAccount says where to make this: it is made once either does';

/** An id of an image or a kernel; the service's own prefix and the neutral `vm/` are one. */
export const prefixedId = () =>
  z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]*([/][a-zA-Z0-9][a-zA-Z0-9._-]*)?$/)
    .max(100)
    .register(prefixedIds, { prefixed: true });

/** An id in the cloud account of something that has no kind of its own yet. */
export const accountId = () => z.int().min(1).register(accountIds, { ofAccount: true });

/** Nothing is deployed from an image that is still being made. */
export const availableImage = { status: 'state', is: 'available' } as const;

/** Stands for all images where a list of them is asked for. */
export const everyImage = 'any/all';

/** Of the provider, in neutral words, or all there are: everybody may name it. Every other image is somebody's own. */
export const isOfProvider = (neutral: string): boolean => neutral.startsWith('vm/') || neutral === everyImage;

/** Short hash of a text that is too long for status; equal texts give equal hashes. */
export const digest = (text: string): string => createHash('sha256').update(text).digest().toString('hex', 0, 8);

/** Says this of a schema that nobody else holds; `.describe` would make and keep a second one. */
function described<T extends z.ZodType>(schema: T, description: string): T {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/** A field that may be absent, with what its reader must know: an example, limits, and what absence means. */
export const optional = <T extends z.ZodType>(schema: T, text: string): z.ZodOptional<T> => described(schema.optional(), text);
