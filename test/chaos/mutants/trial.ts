/** `node trial.ts HINT...` in a mutated copy of the tree: runs generated cases until an oracle objects, and says which, as one line of JSON. */
import type { Case } from '../case.ts';
import { execute } from '../execute.ts';
import { planned, type Planned } from '../plan.ts';
import type { Trial } from './verdict.ts';

const seconds = Number(process.env['MUTANT_SECONDS'] ?? 240);
const began = performance.now();
const left = (): boolean => (performance.now() - began) / 1000 < seconds;

async function casesOf(hint: string): Promise<readonly Planned[]> {
  const [family = '', kind = ''] = hint.split(' ');
  if (kind === '') return (await planned({ case: hint })).cases;
  return spread((await planned({ family, kind })).cases);
}

/** Neighbours in a plan are alike, so that what is far apart comes first. */
function spread(cases: readonly Planned[]): readonly Planned[] {
  const stride = Math.max(1, Math.floor(Math.sqrt(cases.length)));
  return cases
    .map((one, index) => ({ one, at: (index % stride) * cases.length + index }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

async function trial(hints: readonly string[]): Promise<Trial> {
  const tried = new Set<Case['id']>();
  for (const hint of hints)
    for (const one of await casesOf(hint)) {
      if (tried.has(one.one.id) || !left()) continue;
      tried.add(one.one.id);
      const { id, violations } = await execute(one);
      const objected = violations.find(({ oracle }) => oracle.startsWith('O'));
      if (objected !== undefined) return { killed: true, case: id, ...objected, tried: tried.size };
    }
  return { killed: false, tried: tried.size };
}

process.stdout.write(`${JSON.stringify(await trial(process.argv.slice(2)))}\n`);
