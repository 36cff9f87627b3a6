import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock.ts';
import { atOnce } from '../../support/at-once.ts';
import type { Bench } from '../bench.ts';
import { sum } from '../figure.ts';
import { allGone, allReady, edit, remove } from '../inhabitants.ts';
import { kindsOf, longestWait } from './adoption.ts';
import { inAccount, typed } from '../plugin.ts';
import { placesIn } from './idle.ts';

const width = 12;

/** What the operator asked the account to change since then. */
const changesSince = async ({ stage }: Bench, begun: number): Promise<readonly string[]> =>
  (await stage.evidence.calls(begun)).filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

function tellChanges({ report }: Bench, name: string, changes: readonly string[]): void {
  report({ name, value: changes.length, unit: 'calls', limit: 0, formula: `ledger, all but GET ${changes.slice(0, 3).join(', ')}`.trim() });
}

const poolsIn = (members: Bench['members']): number =>
  sum(members.map(({ spec }) => (Array.isArray(spec['nodePools']) ? spec['nodePools'].length : 0)));

/** What `kubectl cloud diff` reads in the account and finds to differ: nothing at all. */
async function differing({ stage, members, report }: Bench, when: string): Promise<void> {
  const line = ['diff', '-A', '--against', 'account', '-o', 'name', '--timeout', '60m', ...inAccount(stage, join(stage.folder, 'token'))];
  const kubeconfig = await stage.cluster.kubeconfigFor(stage.cluster.adminToken);
  const { exit, lines, seconds, memory } = await typed(stage, line, { kubeconfig, codes: [0, 1] });
  const found = lines.filter((one) => /^cloud\w+\.cloudhosting\.dev\/\S+$/.test(one));
  // What could not be compared has no name.
  const differ = exit === 0 ? 0 : Math.max(1, found.length);
  const formula = `diff -A --against account, of ${members.length} objects`;
  report({ name: `diff, ${when}`, value: differ, unit: 'objects', limit: 0, formula: [formula, ...found.slice(0, 3)].join(', ') });
  report({ name: `time of the diff, ${when}`, value: seconds, unit: 's', formula });
  report({ name: `memory of the diff, ${when}`, value: memory, unit: 'MB', limit: 256, formula: 'VmHWM of the plugin' });
}

/** An account that was exported is observed by now; the operator begins to manage it. */
export async function handover(bench: Bench): Promise<void> {
  const { stage, members, fleet, report } = bench;
  if (fleet !== undefined) {
    const pages = placesIn(fleet.members);
    const formula = `ledger, by ${pages} pages of lists and parts`;
    report({ name: 'export calls per page', value: fleet.calls / pages, unit: 'calls', limit: 12, formula });
    report({ name: 'export memory', value: fleet.memory, unit: 'MB', limit: 256, formula: 'VmHWM of the plugin' });
    report({ name: 'export', value: fleet.seconds, unit: 's', formula: `${fleet.members.length} manifests` });
  }
  await differing(bench, 'observed');
  tellChanges(bench, 'changes of what is observed', await changesSince(bench, 0));
  const begun = systemClock.now();
  await atOnce(members, width, (member) => edit(stage.cluster, member, { lifecycle: { management: null } }));
  await allReady(stage.cluster, { kinds: kindsOf(bench), limit: longestWait, every: 2000 });
  report({
    name: 'promotion',
    value: (systemClock.now() - begun) / 1000,
    unit: 's',
    formula: 'from the first edit until all are as wanted',
  });
  await differing(bench, 'promoted');
  const changes = await changesSince(bench, begun);
  const marks = changes.filter((call) => /^PUT \S*\/pools\/\d+$/.test(call));
  report({
    name: 'marks of pools',
    value: marks.length,
    unit: 'calls',
    limit: poolsIn(members),
    formula: 'one for each that a cluster names, which cannot be told from others without',
  });
  tellChanges(
    bench,
    'changes of what is promoted',
    changes.filter((call) => !marks.includes(call)),
  );
}

/** All objects are deleted, and what they stood for stays. */
export async function letGo(bench: Bench): Promise<void> {
  const { stage, members, report } = bench;
  const begun = systemClock.now();
  const before = await stage.emulator.alive();
  await atOnce(members, width, (member) => remove(stage.cluster, member));
  await allGone(stage.cluster, { kinds: kindsOf(bench), limit: longestWait, every: 2000 });
  report({
    name: 'letting go',
    value: (systemClock.now() - begun) / 1000,
    unit: 's',
    formula: 'from the first deletion until no object is there',
  });
  tellChanges(bench, 'changes of what is let go', await changesSince(bench, begun));
  const after = new Set((await stage.emulator.alive()).map(({ collection, key }) => `${collection} ${key}`));
  const gone = before.filter(({ collection, key }) => !after.has(`${collection} ${key}`));
  report({ name: 'gone from the account', value: gone.length, unit: 'things', limit: 0, formula: `of ${before.length}, by the emulator` });
}
