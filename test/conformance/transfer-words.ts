import { asCollection, readRemote } from '../../src/resource/index.ts';
import type { Told, WordLaw } from './words.ts';

const unless = (holds: boolean, message: string): readonly string[] => (holds ? [] : [message]);

const fixed = ({ kind }: Told, field: string): readonly string[] => [
  ...unless(field in kind.spec.shape, `${field} is no field of its spec`),
  ...unless(kind.fields[field]?.immutable === true, `${field} may change, and the remote was made by what it said`),
];

/** Laws of what is brought after a create, each of which a wrong kind of the laboratory breaks. */
export const transferLaws: Readonly<Record<string, WordLaw>> = {
  'what only some objects give out follows from what is fixed at birth': (told) =>
    Object.values(told.kind.outputs ?? {}).flatMap(({ ifSet }) => (ifSet === undefined ? [] : fixed(told, ifSet))),
  'what is no answer to its create is no row': ({ kind, want }) => {
    const born = asCollection(kind)?.born;
    return born === undefined
      ? []
      : unless('malformed' in readRemote(kind, born({ errors: [] }, want)), 'an answer without it is taken for one');
  },
  'what is brought goes where its create told, and only there': (told) => {
    const { transfer } = asCollection(told.kind) ?? {};
    if (transfer === undefined) return [];
    const { [transfer.to]: to } = told.kind.outputs ?? {};
    return [
      ...fixed(told, transfer.field),
      ...unless(to?.toldOnce !== undefined && to.secret === true, `${transfer.to} is not told once, as a secret`),
      ...unless(to?.ifSet === transfer.field, `${transfer.to} is looked for where nothing is brought`),
      ...unless(to?.of(told.remote, told.want) === null, `${transfer.to} is given out after it has served`),
    ];
  },
  'what is brought is waited for until it is there, and no longer': ({ kind, want, remote, told = {} }) => {
    const { transfer } = asCollection(kind) ?? {};
    if (transfer === undefined) return [];
    const made = { ...remote, ...told };
    const health = kind.health(made, want);
    return [
      ...unless(transfer.awaits(made), 'one that was just made is not brought anything'),
      ...unless(!transfer.awaits(remote), 'one at rest is brought it once more'),
      ...unless(health.state === 'Progressing' && health.admitsChanges !== true, 'it is used, or changed, before it is whole'),
    ];
  },
  'what is brought is known by how it begins, and has an end': ({ kind }) => {
    const { transfer } = asCollection(kind) ?? {};
    if (transfer === undefined) return [];
    return [
      ...unless(transfer.format.begins.length > 0, 'anything would be sent'),
      ...unless(transfer.maxBytes > 0 && Number.isSafeInteger(transfer.maxBytes), 'it may be of any length'),
      ...unless(transfer.attempts >= 1 && transfer.attempts <= 6, 'it is made anew for ever'),
    ];
  },
  'what somebody else brings is not brought': ({ kind, want }) => {
    const { transfer } = asCollection(kind) ?? {};
    return unless(transfer?.from({ ...want, [transfer.field]: {} }) === undefined, 'nothing says from where, and it is brought');
  },
};
