/** A command that either is well or is not; it counts as one test. */
interface Step {
  readonly name: string;
  readonly command: readonly string[];
}
/** A command that tells its own counts in its last line: `{"planned": 12, "executed": 10, "violations": 0, "skipped": 1}`. */
interface Campaign {
  readonly name: string;
  readonly campaign: readonly string[];
}
/** A folder, or a file, of vitest's tests. */
export interface Tests {
  readonly name: string;
  readonly paths: readonly string[];
  /** Its files share nothing that a test changes, so that they need no worker of their own: half the processor time. */
  readonly pure?: true;
  /** Files that mostly wait, so that more of them than there are processors may run beside each other. */
  readonly workers?: number;
  /** Real processes under real deadlines, on a machine that others may load: a test may be tried once more, and vitest says so. */
  readonly retry?: number;
}
export type Suite = (Step | Campaign | Tests) & { readonly group: 'check' | 'test' | 'long' };

const typescript = ['src/**/*.ts', 'test/**/*.ts'];

/** Where a run breaks off depends on the machine, its order does not. */
const minutes = (count: number): readonly string[] => ['--seconds', String(60 * count), '--jobs', '2'];

/** Enough to see that generated cases still object; `npm run mutants` plants all of them. */
const someMutants =
  'mac-not-checked,identity-conflict-ignored,status-does-not-heal-the-annotation,claimed-remote-not-seen,owner-key-ignored';

/** In this order. `npm run check` runs the group `check`, `npm test` that and `test`, `npm run test:long` the rest; CI runs all. */
export const suites: readonly Suite[] = [
  { group: 'check', name: 'format', command: ['oxfmt', '-c', 'test/oxfmt.json', '--check', ...typescript] },
  { group: 'check', name: 'lint', command: ['oxlint', '--type-aware', '-c', 'test/oxlint.json', 'src', 'test'] },
  { group: 'check', name: 'types', command: ['tsc', '-p', '.'] },
  { group: 'check', name: 'generated', command: ['node', 'src/generate/main.ts', '--check'] },
  { group: 'check', name: 'unused', command: ['knip', '-c', 'test/knip.json', '--no-progress'] },
  { group: 'check', name: 'mutants apply', command: ['node', 'test/chaos/mutants/main.ts', '--check'] },
  { group: 'check', name: 'architecture', paths: ['test/architecture.test.ts'], pure: true },
  { group: 'check', name: 'unit', paths: ['test/unit/'], pure: true },
  { group: 'check', name: 'conformance', paths: ['test/conformance/'], pure: true },
  { group: 'test', name: 'support', paths: ['test/support/', 'test/demo/', 'test/coverage/'], pure: true },
  { group: 'test', name: 'guides', paths: ['test/guides/'], pure: true },
  { group: 'test', name: 'apiserver', paths: ['test/apiserver/'], pure: true },
  { group: 'test', name: 'emulator', paths: ['test/emulator/'], pure: true },
  { group: 'test', name: 'stories', paths: ['test/stories/'], pure: true },
  { group: 'test', name: 'coverage', command: ['node', 'test/coverage/main.ts', '--check'] },
  { group: 'test', name: 'build', command: ['npm', 'run', '-s', 'build'] },
  { group: 'test', name: 'integration', paths: ['test/integration/'], workers: 4, retry: 1 },
  { group: 'test', name: 'found', paths: ['test/chaos/'], pure: true },
  { group: 'test', name: 'chaos', campaign: ['node', 'test/chaos/main.ts', '--sample', '--plain', ...minutes(2), '--json'] },
  { group: 'long', name: 'build again', command: ['npm', 'run', '-s', 'build'] },
  { group: 'long', name: 'controlplane', paths: ['test/controlplane/'], retry: 1 },
  { group: 'long', name: 'crowd', paths: ['test/crowd/'], pure: true },
  { group: 'long', name: 'long integration', paths: ['test/integration-long/'], workers: 4, retry: 1 },
  { group: 'long', name: 'recovery', paths: ['test/recovery/'], workers: 4, retry: 1 },
  { group: 'long', name: 'prometheus', paths: ['test/prometheus/'], retry: 1 },
  { group: 'long', name: 'signing', paths: ['test/signing/'], retry: 1 },
  { group: 'long', name: 'argocd', campaign: ['node', 'test/argocd/main.ts', '--json'] },
  { group: 'long', name: 'chaos for longer', campaign: ['node', 'test/chaos/main.ts', '--sample', ...minutes(10), '--json'] },
  { group: 'long', name: 'tier 1', campaign: ['node', 'test/chaos/main.ts', '--tier', '1', '--seconds', '600', '--jobs', '4', '--json'] },
  { group: 'long', name: 'random', campaign: ['node', 'test/chaos/main.ts', '--random', '40', '--seconds', '120', '--json'] },
  { group: 'long', name: 'mutants', campaign: ['node', 'test/chaos/mutants/main.ts', '--only', someMutants, '--json'] },
];

/** The path belongs to this suite of tests. */
export const holds = (suite: Suite, path: string): boolean => 'paths' in suite && suite.paths.some((start) => path.startsWith(start));
