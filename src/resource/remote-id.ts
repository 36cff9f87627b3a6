import * as z from 'zod';
import { firstAddress } from './fields/address.ts';
import { ipv4Pattern, ipv6Pattern } from './fields/grammar.ts';

/** What a reference becomes once the engine has resolved it: the id that the service gave its target. */
export type RemoteId = number | string;

/** How the service writes the ids of a kind. What reads otherwise leads elsewhere in its API, and is refused. */
export interface IdForm {
  readonly pattern: string;
  readonly says: string;
  /** An id that is no number must not be written as one. */
  readonly text?: true;
  /** The one spelling of an id that people may write in several. */
  readonly plain?: (id: string) => string;
}
export const numberId: IdForm = { pattern: '^[1-9][0-9]{0,14}$', says: 'an id is a number: write for example 123' };
/** Things that have no id of their own are named by the cluster that holds them and their label. */
export const clusterAndLabel: IdForm = {
  pattern: '^[a-z0-9][a-z0-9-]*/[a-z0-9]+((-+|[.])[a-z0-9]+)*$',
  says: 'an id is a cluster, a slash and a label: write for example eu-central-1/shop-assets',
  text: true,
};

/** Databases of each engine are counted in a list of their own. */
export const engineAndId: IdForm = {
  pattern: '^(mysql|postgresql|mongodb)/[1-9][0-9]{0,14}$',
  says: 'an id of a database stands behind its engine and a slash: write for example mysql/123',
  text: true,
};

/** Images of an account; those of the provider are nobody's to manage. */
export const privateImage: IdForm = {
  pattern: '^private/[1-9][0-9]{0,14}$',
  says: 'the id of an image of the account begins with private/: write for example private/12345',
  text: true,
};

/** What the service knows by the address itself; of a range by the first one. */
export const addressId: IdForm = {
  pattern: `^(${ipv4Pattern}|${ipv6Pattern})(/(56|64))?$`,
  says: 'the id of an address is the address itself: write for example 203.0.113.7, or 2001:db8:e000:: for a range',
  text: true,
  plain: firstAddress,
};

/** Ids of the service are integers wherever they look like one. */
export const asId = (id: string): RemoteId => (/^\d{1,15}$/.test(id) ? Number(id) : id);

export const isIdOf = ({ pattern, text }: IdForm, id: unknown): boolean =>
  (typeof id === 'string' || (typeof id === 'number' && text !== true)) && new RegExp(pattern).test(String(id));

/** In CEL rather than as a pattern: a pattern's refusal cannot say what to write, and silences every rule that could. */
const rule = ({ pattern, text }: IdForm): string =>
  text === true ? `type(self) == string && self.matches('${pattern}')` : `type(self) == int || self.matches('${pattern}')`;

const idOf = (form?: IdForm) =>
  z
    .union([z.int().min(1), z.string().min(1).max(200)])
    .refine((id) => form === undefined || isIdOf(form, id), form?.says)
    .meta({
      'x-kubernetes-int-or-string': true,
      ...(form !== undefined && { 'x-kubernetes-validations': [{ rule: rule(form), message: form.says }] }),
    });

const ids = new Map<IdForm | undefined, ReturnType<typeof idOf>>();

/** An id as the service writes it; a number or a string in YAML. One schema for all fields with ids of this form. */
export function remoteId(form?: IdForm): ReturnType<typeof idOf> {
  const known = ids.get(form) ?? idOf(form);
  ids.set(form, known);
  return known;
}
