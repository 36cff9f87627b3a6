import { manifestOf, type Manifest, fixturesOf, type Scenario } from '../scenario/scenario.ts';
import { strangerTo } from '../scenario/stranger.ts';
import { siblingOf } from './sibling.ts';

export const guestNamespace = 'team-b';

/** Where the neighbours live, and what they are. */
export type Where =
  /** In the subject's namespace, and one in another that has an account object of its own. */
  | 'beside'
  /** All of them in the other namespace, whose token is another one of the same user. */
  | 'abroad'
  /** As `beside`, and of a kind that is not the subject's. */
  | 'of-another-kind';

export interface Neighbour {
  readonly manifest: Manifest;
  readonly namespace: string;
}
export interface Cast {
  readonly neighbours: readonly Neighbour[];
  /** What the guests refer to, in their namespace. */
  readonly needs: readonly Manifest[];
}

export function castOf({ subject, needs, operation }: Scenario, where: Where): Cast {
  const like = operation.is === 'create' ? subject : plainSampleOf(subject);
  const model = where === 'of-another-kind' ? strangerTo(subject) : like;
  const neighbours = ['first', 'second', 'third', 'guest'].map((name): Neighbour => ({
    manifest: siblingOf(model, name),
    namespace: where === 'abroad' || name === 'guest' ? guestNamespace : 'team-a',
  }));
  const named = where === 'of-another-kind' ? [] : needs;
  return { neighbours, needs: named.map((need) => siblingOf(need, need.name, 'guest')) };
}

/** What the neighbours are depends on the way in which the subject is made, and not on what is done to it. */
function plainSampleOf({ kind, name }: Manifest): Manifest {
  const [fixture] = fixturesOf(kind);
  if (fixture === undefined) throw new Error(`${kind} has no fixture`);
  return manifestOf(fixture, name, {});
}
