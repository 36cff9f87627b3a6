import { nowhere } from '../../dry/supposed-kinds.ts';
import type { Entry } from '../entries.ts';

const place = `${nowhere('')}(\\w+)/([^\\s./]+)\\.([^\\s,;:)]*[a-z0-9])`;
const beside = new RegExp(` \\(${place}\\)`, 'g');
const alone = new RegExp(place, 'g');
const named = (text: string): string => text.replace(beside, '').replace(alone, 'what $1 $2/$3 has');

/** Where nothing tells the path of what an object has, its object is named in place of one that was made up. */
export const unplaced = (entry: Entry): Entry => ({
  ...entry,
  ...(entry.message !== undefined && { message: named(entry.message) }),
  ...(entry.refusal && { refusal: { ...entry.refusal, message: named(entry.refusal.message) } }),
});
