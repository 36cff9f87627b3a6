import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { artifacts } from '../../../src/generate/artifacts.ts';
import { kindName } from '../../../src/generate/kinds-index.ts';
import { stale, write } from '../../../src/generate/output.ts';
import { yaml } from '../../../src/generate/yaml.ts';
import { CloudAccess, CloudThing } from './sample-kind.ts';

const guide = { alerts: 'groups: []', beginning: '' };
const chart = {
  schema: { properties: { image: { description: 'Image | of it.', properties: { tag: { description: 'Tag.' } } } } },
  values: { image: { tag: '' } },
};
const both = artifacts({
  chart,
  guide,
  kinds: [CloudThing, CloudAccess],
  files: { CloudThing: 'cloud-thing.ts', CloudAccess: 'cloud-access.ts' },
  samples: { CloudThing: { name: 'db', spec: { region: 'eu' } } },
});
const one = artifacts({ chart, guide, kinds: [CloudThing], files: { CloudThing: 'cloud-thing.ts' }, samples: {} });

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'generate-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('generated files', () => {
  it('are current once they are written', async () => {
    expect(await write(root, both)).toEqual([...both.keys()]);
    expect(await stale(root, both)).toBeUndefined();
    expect(await write(root, both)).toEqual([]);
  });
  it('are stale after an edit by hand, and the first one is named', async () => {
    await write(root, both);
    await writeFile(join(root, 'crds/cloudthings.yaml'), 'edited');
    expect(await stale(root, both)).toBe('crds/cloudthings.yaml is stale: run `npm run generate` and commit the result');
  });
  it('of a kind that is gone are named, then removed', async () => {
    await write(root, both);
    await write(root, new Map([...one, ['crds/cloudaccesses.yaml', 'old']]));
    expect(await stale(root, one)).toMatch(/^crds\/cloudaccesses\.yaml belongs to no kind/);
    expect(await write(root, one)).toContain('crds/cloudaccesses.yaml');
    expect(await stale(root, one)).toBeUndefined();
  });
  it('do not depend on the order of the kinds', () =>
    expect(artifacts({ chart, guide, kinds: [CloudAccess, CloudThing], files: {}, samples: {} })).toEqual(
      artifacts({ chart, guide, kinds: [CloudThing, CloudAccess], files: {}, samples: {} }),
    ));
});

describe("the chart's README", () => {
  it('has a line for each value, those of groups among them', () => {
    const text = both.get('charts/cloud-operator/README.md');
    expect(text).toContain('| `image` |  | Image \\| of it. |\n| `image.tag` | `""` | Tag. |');
  });
});

describe('the list of kinds', () => {
  it('imports each by the file that it is named after', async () => {
    await write(root, both);
    const text = await readFile(join(root, 'src/generated/kinds.ts'), 'utf8');
    expect(text).toContain("import CloudThing from '../kinds/cloud-thing.ts';");
    expect(text).toContain('  erase(CloudThing),');
  });
  it('names a kind after its file', () => expect(kindName('cloud-domain-record.ts')).toBe('CloudDomainRecord'));
  it('takes acronyms in the name of a kind', () => expect(kindName('cloud-ssh-key.ts').toLowerCase()).toBe('CloudSSHKey'.toLowerCase()));
});

it('writes a sample as a user would apply it', () =>
  expect(both.get('deploy/samples/cloudthings.yaml')).toMatch(
    /^#.*\napiVersion: cloudhosting\.dev\/v1alpha1\nkind: CloudThing\nmetadata:\n {2}name: db\nspec:\n {2}region: eu\n$/,
  ));

it('writes what samples name beside them, and nothing else that tests need', () => {
  const spec = { thingRef: { name: 'other' }, passwordFrom: { secretKeyRef: { name: 'db', key: 'password' } } };
  const needs = { other: { kind: 'CloudThing', spec: { region: 'us' } }, third: { kind: 'CloudThing' } };
  const secrets = { db: { password: 'x', more: 'y' }, unnamed: { z: 'z' } };
  const samples = { CloudThing: { name: 'db', spec, needs, secrets } };
  const written = artifacts({ chart, guide, kinds: [CloudThing], files: {}, samples });
  expect([...written.keys()].filter((file) => file.startsWith('deploy/samples'))).toEqual([
    'deploy/samples/cloudthings.yaml',
    'deploy/samples/cloudthings-other.yaml',
    'deploy/samples/00-secret-db.yaml',
  ]);
  expect(written.get('deploy/samples/cloudthings-other.yaml')).toContain('\n  name: other\nspec:\n  thingRef:\n    name: other\n');
  expect(written.get('deploy/samples/00-secret-db.yaml')).toMatch(/name: db\nstringData:\n {2}password: x\n$/);
});

it('quotes what YAML 1.1, which kubectl and Helm read, would take for something else', () =>
  expect(yaml({ power: 'On', answer: 'no', size: '0777' })).toBe('power: "On"\nanswer: "no"\nsize: "0777"\n'));
