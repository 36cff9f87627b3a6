/** `node trial.ts HINT...` in a mutated copy of the tree: runs generated cases until an oracle objects, and says which, as one line of JSON. */
import { execute } from '../run/execute.ts';
import type { Violation } from '../oracles/oracle.ts';
import { type Plan, planned, type Planned } from '../campaign/plan.ts';
import type { Trial } from './verdict.ts';

const seconds = Number(process.env['MUTANT_SECONDS'] ?? 240);
const began = performance.now();
const left = (): boolean => (performance.now() - began) / 1000 < seconds;

/** So many parts of a family are planned one after the other, because each takes recordings. */
const parts = 40;

async function* plansOf(hint: string): AsyncGenerator<Plan> {
  const [family = '', kind = ''] = hint.split(' ');
  if (kind === '') return yield await planned({ case: hint });
  for (let index = 1; index <= parts && left(); index += 1) yield planned({ family, kind }, { index, of: parts });
}

type Objection = Violation & { readonly case: string };

/** The recorded run is a generated case itself: a defect may show before any fault does. */
function neverEnded({ skipped }: Plan): Objection | undefined {
  const [found] = skipped.filter(({ scenario, reason }) => !scenario.includes('@') && reason.startsWith('does not end'));
  return found && { case: `${found.scenario} without any fault`, oracle: 'O4 converges and stays', message: found.reason };
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
  const tried = new Set<string>();
  for (const hint of hints)
    for await (const plan of plansOf(hint)) {
      const ended = neverEnded(plan);
      if (ended !== undefined) return { killed: true, ...ended, tried: tried.size };
      const objection = await objectionTo(spread(plan.cases), tried, !hint.includes(' '));
      if (objection !== undefined) return { killed: true, ...objection, tried: tried.size };
    }
  return { killed: false, tried: tried.size };
}

/** `named`: a case that a hint names is played however little time is left. */
async function objectionTo(cases: readonly Planned[], tried: Set<string>, named: boolean): Promise<Objection | undefined> {
  for (const one of cases) {
    if (tried.has(one.one.id) || !(named || left())) continue;
    tried.add(one.one.id);
    const { id, violations } = await execute(one);
    const objected = violations.find(({ oracle }) => oracle.startsWith('O'));
    if (objected !== undefined) return { case: id, ...objected };
  }
  return undefined;
}

process.stdout.write(`${JSON.stringify(await trial(process.argv.slice(2)))}\n`);
