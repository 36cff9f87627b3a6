import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { kinds } from '../../src/generated/kinds.ts';
import { examplesIn } from './guide.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (guide: string): Promise<string> => readFile(`${root}deploy/guides/${guide}.md`, 'utf8');
/** What stands between fences of a language, for programs that are not on the machine of the tests. */
const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(?<block>.*?)^\`\`\``, 'gms'))].map(({ groups }) => groups?.['block'] ?? '');

describe('from Terraform', async () => {
  const text = await textOf('terraform');

  it('names kinds that there are', () => {
    const named = [...text.matchAll(/^\| `[^|]*\| (?<kind>Cloud\w+) \|/gm)].map(({ groups }) => groups?.['kind'] ?? '');
    expect(named.length).toBeGreaterThan(5);
    const known = new Set(kinds.map(({ kind }) => kind));
    expect(named.filter((kind) => !known.has(kind))).toEqual([]);
  });
  it('types nothing that destroys, and no command that Terraform does not have', () => {
    const lines = blocks(text, 'terraform').flatMap((block) => block.trimEnd().split('\n'));
    expect(lines.length).toBeGreaterThan(3);
    const known = /^\$ terraform (plan( -detailed-exitcode)?|apply|state list|state (show|rm) '[\w.]+(\["\w+"\])?')$/;
    expect(lines.filter((line) => !known.test(line))).toEqual([]);
  });
  it('removes without destroying, and imports one resource by its id', () => {
    const bare = blocks(text, 'hcl').map((block) => block.replaceAll(/\s+/g, ' ').trim());
    expect(bare).toHaveLength(2);
    expect(bare[0]).toMatch(/^removed \{ from = \w+\.\w+ lifecycle \{ destroy = false \} \}$/);
    expect(bare[1]).toMatch(/^import \{ to = \w+\.\w+ id = "\d+" \}$/);
  });
});

describe('coexistence', () => {
  it('says that there is no kind for load balancers while there is none', async () => {
    const said = (await textOf('coexistence')).includes('there is no kind for load balancers');
    expect(said).toBe(!kinds.some(({ kind }) => /balancer/i.test(kind)));
  });
});

interface Workflow {
  readonly on: string;
  readonly permissions: object;
  readonly jobs: { readonly manifests: { readonly steps: readonly { readonly run?: string; readonly uses?: string }[] } };
}
describe('the job of pull requests', async () => {
  const text = await textOf('pull-requests');
  const [job = ''] = blocks(text, 'yaml');

  it('may read and no more, and does what the guide shows and a test runs', () => {
    const { on, permissions, jobs } = parse(job) as Workflow;
    expect({ on, permissions }).toEqual({ on: 'pull_request', permissions: { contents: 'read' } });
    const lines = jobs.manifests.steps.flatMap(({ run }) => run ?? []);
    const shown = new Set(examplesIn(text).map(({ command }) => command));
    const judging = lines.filter((line) => line.includes('$MANIFESTS'));
    expect(judging).toHaveLength(2);
    expect(judging.filter((line) => !shown.has(line))).toEqual([]);
    expect(lines.filter((line) => /token|secret/i.test(line))).toEqual([]);
  });
});
