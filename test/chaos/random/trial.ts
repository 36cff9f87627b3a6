import type { Evidence } from '../evidence/evidence.ts';
import { keepsSecrets, noHotLoop, noPanic } from '../oracles/behaviour.ts';
import type { Trial, Violation } from '../oracles/oracle.ts';
import { auditedOf, panicsOf, publishedIn } from '../run/perform.ts';
import { differencesOf, lacking, pictureOf } from '../evidence/picture.ts';
import type { Stage } from '../stage/stage.ts';
import { isPassage } from '../stage/wire.ts';
import type { Cast } from './cast.ts';
import { Playground } from './playground.ts';
import type { Program } from './program.ts';

const minute = 60_000;

/** What outlives objects by itself is not compared. */
const lasting = /^(tags|notifications|account_settings) /;
/** Machines of nodes go in the service's own time. */
function accountOf({ world }: Playground): readonly string[] {
  const { standing, parts } = pictureOf({ world });
  return lacking(standing, parts)
    .filter((line) => !lasting.test(line))
    .map((line) => line.replace(subject, '$1"<label>"'));
}
/** A ticket says for ever how its subject was called when it was opened, be it before or after an edit. */
const subject = /^(tickets .*"entity":\{"id":"[^"]*","label":)"[^"]*"/;

/** The account where the same is wanted of a world in which nothing ever went wrong. */
async function expectedOf({ wanted }: Playground, cast: Cast): Promise<readonly string[]> {
  const other = await Playground.open(cast);
  for (const name of wanted.keys()) await other.want(name);
  await other.settle();
  for (const [name, spec] of wanted) {
    const { kind, name: object } = cast.get(name)?.manifest ?? { kind: '', name: '' };
    other.wanted.set(name, spec);
    await other.world.apply(kind, object, spec);
  }
  await other.settle();
  await other.world.clock.advance(10 * minute);
  return accountOf(other);
}

/** Runs a program to its end and beyond; tells what did not hold. */
export async function tryProgram(program: Program, cast: Cast): Promise<readonly Violation[]> {
  try {
    return await judged(program, cast);
  } catch (error) {
    return [{ oracle: 'run', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }];
  }
}

async function judged(program: Program, cast: Cast): Promise<readonly Violation[]> {
  const playground = await Playground.open(cast);
  const empty = accountOf(playground);
  for (const { after, act } of program) {
    await playground.world.clock.advance(after * 1000);
    await playground.play(act);
  }
  await playground.heal();
  const late = await playground.settle();
  if (late.length > 0) return [{ oracle: 'O4 converges and stays', message: await statesOf(playground, late) }, ...everywhere(playground)];
  await playground.world.clock.advance(20 * minute);
  const violations = differencesOf(await expectedOf(playground, cast), accountOf(playground)).map((message) => ({
    oracle: 'O6 same end',
    message,
  }));
  await playground.deleteAll();
  const left = await playground.settle();
  if (left.length > 0) violations.push({ oracle: 'O4 converges and stays', message: `not gone: ${await statesOf(playground, left)}` });
  else for (const message of differencesOf(empty, accountOf(playground))) violations.push({ oracle: 'O2 no orphan', message });
  return [...violations, ...everywhere(playground)];
}

async function statesOf({ cast, world }: Playground, names: readonly string[]): Promise<string> {
  const states = names.map(async (name) => {
    const { kind = '', name: object = '' } = cast.get(name)?.manifest ?? {};
    const { status, metadata } = (await world.find(kind, object)) ?? {};
    return `${name} ${JSON.stringify(status?.conditions?.map(({ type, status: is, reason, message }) => [type, is, reason, message]))} ${JSON.stringify(metadata?.annotations)}`;
  });
  return (await Promise.all(states)).join('\n');
}

/** What holds at every moment, whatever a program does. */
function everywhere({ world, wire, cast }: Playground): readonly Violation[] {
  const [member] = cast.values();
  if (member === undefined) return [];
  const stage = { world } as Stage;
  const run: Evidence = {
    ...member.reference.evidence,
    done: false,
    passages: wire.record.filter(isPassage),
    panics: panicsOf(stage),
    remembered: stage.world.remembered(),
    audited: auditedOf(stage),
    published: publishedIn(stage),
  };
  const trial: Trial = { scenario: member.scenario, run, reference: member.reference.evidence, excuse: {} };
  return [
    ...noHotLoop(trial).map((message) => ({ oracle: 'O7 no hot loop', message })),
    ...keepsSecrets(trial).map((message) => ({ oracle: 'O10 no secret shown', message })),
    ...noPanic(trial).map((message) => ({ oracle: 'O11 no panic', message })),
  ];
}
