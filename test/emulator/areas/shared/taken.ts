import type { Refusal } from '../../contract/refusal.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';

/** The refusal of a name that somebody has, where its text was never recorded (knob `takenText`). */
export function taken(world: World, field: string): Refusal {
  const worded = `${field.charAt(0).toUpperCase()}${field.slice(1)} must be unique`;
  return refusal(400, world.knobs.takenText === 'worded' ? worded : `${field} is not valid`, field);
}
