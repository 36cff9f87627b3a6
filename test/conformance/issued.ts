import { type AnyIssued, type AnyWant, readRemote, type Row } from '../../src/resource/index.ts';

/** What a law is about: a kind of mode issued, one of its wants, and an answer to it. */
export interface Asked {
  readonly kind: AnyIssued;
  readonly want: AnyWant;
  readonly answer: Row;
}
type Law = (asked: Asked) => readonly string[];

const unless = (holds: boolean, message: string): readonly string[] => (holds ? [] : [message]);

/** Laws of what is issued, each of which a wrong kind of the laboratory breaks. */
export const issuedLaws: Readonly<Record<string, Law>> = {
  'what is issued goes into a Secret, in which it is known again': ({ kind: { outputs = {} } }) =>
    unless(
      Object.values(outputs).some(({ secret }) => secret === true),
      'nothing that it gives out is secret, so it has no Secret of its own',
    ),
  'an answer holds all that is given out': ({ kind, answer }) => {
    const read = readRemote(kind, answer);
    if ('malformed' in read) return [read.malformed];
    return Object.entries(kind.outputs ?? {}).flatMap(([name, { of }]) =>
      unless(typeof of(read.remote, { name: 'x' }) === 'string', `${name} is not in the answer`),
    );
  },
  'it takes nothing away and sets nothing: it may be asked for as often as it takes': ({ kind, want }) => {
    const { method, path } = kind.issue.call(want);
    return unless(method === 'POST' && !path.endsWith('/'), `${method} ${path} may change something each time`);
  },
  'it is good for long enough to be renewed before it ends, however busy the account is': ({ kind, want }) =>
    unless(kind.issue.seconds(want) >= 360, `${kind.issue.seconds(want)} seconds leave no time to renew it`),
  'every field of the spec is for the call, or for how long it is good': ({ kind, want }) => {
    const said = (of: AnyWant): string => JSON.stringify([kind.issue.call(of), kind.issue.seconds(of)]);
    const present = Object.keys(kind.fields).filter((field) => want[field] !== undefined);
    return present.flatMap((field) => unless(said(want) !== said({ ...want, [field]: another(want[field]) }), `${field} changes nothing`));
  },
};
const another = (value: unknown): unknown => (typeof value === 'number' ? value + 1 : `${String(value)}x`);
