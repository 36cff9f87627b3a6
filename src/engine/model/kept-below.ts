import type { AnyRule } from '../../resource/index.ts';
import type { Resource } from '../ports/index.ts';
import { isDeleting } from './annotations.ts';
import { isLeftAlone } from './policy.ts';

type Beside = NonNullable<AnyRule['beside']>;

/**
 * Whether its object says of something below a remote that it is to be as it is: what a change of the remote changes along would
 * differ from that, and be asked to be set back. Whose object says another value already is for that change, or for a next one.
 */
export function saysAsItIs(object: Resource, { follows: { field, may } }: Beside): boolean {
  const { spec, status } = object;
  if (isDeleting(object) || status === undefined || isLeftAlone(spec, field)) return false;
  return spec[field] !== undefined && spec[field] === status[field] && may(status);
}
