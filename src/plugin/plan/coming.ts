import type { Resource } from '../../engine/ports/kubernetes.ts';
import { openWish } from '../../engine/model/step.ts';
import { asSingleton } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';
import type { Action } from '../dry/verdict.ts';

/** What is there once the plan is carried out, and not before. */
export interface Coming {
  readonly object: Resource;
  /** It is taken over, and the account was not asked for it. */
  readonly isTaken: boolean;
}

interface Planned {
  readonly object: Resource;
  readonly unasked?: true;
}
export function comingIn({ object, unasked }: Planned, action: Action | undefined): readonly Coming[] {
  const isTaken = unasked === true && action === 'adopt';
  return isTaken || action === 'create' ? [{ object, isTaken }] : [];
}

const isAlwaysThere = ({ kind }: Resource): boolean => asSingleton(registry.kind(kind)) !== undefined;

/** How it comes to be after what it waits for. `isTaken`: that is taken over, and the account was not asked for it. */
export function comesBy(object: Resource, isTaken: boolean): Action {
  if (openWish(object) !== undefined) return 'adopt';
  return isTaken && isAlwaysThere(object) ? 'change' : 'create';
}

const unasked = 'the account was not asked';
export const adoptsUnasked = `${unasked}: what it takes over, and what differs there, is not looked at`;

/** What cannot be told of it, as it waits for something that is taken over. */
export function untoldOf(object: Resource): string {
  if (object.status?.['path'] !== undefined) return `${unasked}: what is sent once what it names is taken over is not looked at`;
  if (openWish(object) !== undefined) return adoptsUnasked;
  if (isAlwaysThere(object)) return `${unasked}: what differs in what is taken over is not looked at`;
  return registry.kind(object.kind).parent === undefined
    ? `${unasked}: it is made once what it names is taken over`
    : `${unasked}: whether it is there already in what is taken over is not looked at`;
}
