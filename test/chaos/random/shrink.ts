import type { Program } from './program.ts';

/** The smallest program found that still fails: drops ever smaller pieces, then takes the pauses out. `most` bounds the tries. */
export async function shrunk(program: Program, fails: (program: Program) => Promise<boolean>, most = 80): Promise<Program> {
  let [best, tries] = [program, 0];
  const attempt = async (candidate: Program): Promise<boolean> => {
    if (tries >= most) return false;
    tries += 1;
    const still = await fails(candidate);
    if (still) best = candidate;
    return still;
  };
  for (let size = Math.ceil(best.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < best.length;) if (!(await attempt([...best.slice(0, at), ...best.slice(at + size)]))) at += size;
  for (const [index, move] of best.entries())
    if (move.after > 0) await attempt(best.map((one, at) => (at === index ? { ...one, after: 0 } : one)));
  return best;
}
