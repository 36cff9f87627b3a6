import { sha256 } from './archive.ts';
import { digestOf } from './image.ts';
import type { Package } from './packages.ts';
import type { Run } from '../tools.ts';

export interface SbomFacts {
  /** What the image is called, as are its lists. */
  readonly product: 'cloud-operator' | 'kubectl-cloud';
  readonly root: string;
  readonly version: string;
  readonly commit: string;
  readonly time: Date;
  readonly base: string;
  /** What was bundled. */
  readonly packages: readonly Package[];
}
interface Cyclone {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string; readonly purl: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
interface Spdx {
  readonly creationInfo: object;
  readonly packages: readonly {
    readonly name: string;
    readonly SPDXID: string;
    readonly externalRefs: readonly { readonly referenceLocator: string }[];
  }[];
  readonly relationships: readonly { readonly spdxElementId: string; readonly relatedSpdxElement: string }[];
}
/** Package URL -> name, of what was bundled. */
type Bundled = ReadonlyMap<string, string>;

/** Names of the lists of an image's parts, by format as cosign calls them. */
export function listsOf(product: SbomFacts['product']): Readonly<Record<'cyclonedx' | 'spdxjson', string>> {
  const name = product === 'cloud-operator' ? 'sbom' : 'sbom-ci';
  return { cyclonedx: `${name}.cyclonedx.json`, spdxjson: `${name}.spdx.json` };
}

/**
 * File name -> text. Of what npm lists of the lock file, all that was bundled: its own way of leaving out what is only for
 * development leaves out what is for both. The base of the image is named; its own list is its maker's.
 */
export async function sboms(facts: SbomFacts, run: Run): Promise<Readonly<Record<string, string>>> {
  const ask = async <T>(format: string): Promise<T> =>
    JSON.parse((await run('npm', ['sbom', `--sbom-format=${format}`, '--package-lock-only'], { cwd: facts.root })).toString()) as T;
  const bundled = new Map(facts.packages.map(({ name, version }) => [`pkg:npm/${name.replace('@', '%40')}@${version}`, name]));
  const [cyclone, spdx] = [await ask<Cyclone>('cyclonedx'), await ask<Spdx>('spdx')];
  const { cyclonedx, spdxjson } = listsOf(facts.product);
  const texts = {
    [cyclonedx]: inCyclone(cycloneOf(cyclone, bundled), facts),
    [spdxjson]: inSpdx(spdxOf(spdx, bundled), facts),
  };
  return Object.fromEntries(Object.entries(texts).map(([file, document]) => [file, `${JSON.stringify(document, undefined, 2)}\n`]));
}

function cycloneOf(list: Cyclone, bundled: Bundled): Cyclone {
  const components = chosen(list.components, ({ purl }) => purl, bundled);
  const refs = new Set([list.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = list.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return { ...list, components, dependencies };
}

function spdxOf(list: Spdx, bundled: Bundled): Spdx {
  const packages = chosen(list.packages, ({ externalRefs }) => externalRefs[0]?.referenceLocator ?? '', bundled);
  const ids = new Set(['SPDXRef-DOCUMENT', list.packages[0]?.SPDXID, ...packages.map(({ SPDXID }) => SPDXID)]);
  const relationships = list.relationships.filter((one) => ids.has(one.spdxElementId) && ids.has(one.relatedSpdxElement));
  return { ...list, packages: [...list.packages.slice(0, 1), ...packages], relationships };
}

/** By their own names: npm calls a package as it was installed. A list that leaves out what is in the image would be worse than none. */
function chosen<T extends { readonly name: string }>(list: readonly T[], purlOf: (one: T) => string, bundled: Bundled): readonly T[] {
  const found = new Map(list.map((one) => [purlOf(one), one]));
  return [...bundled].map(([purl, name]) => {
    const one = found.get(purl);
    if (!one) throw new Error(`${purl} is bundled, but not in package-lock.json; run \`npm ci\``);
    return { ...one, name };
  });
}

const nameOf = (base: string): string => base.slice(0, base.lastIndexOf('@'));
const baseUrl = (base: string): string => {
  const name = nameOf(base);
  return `pkg:oci/${name.split('/').at(-1)}@${encodeURIComponent(digestOf(base))}?repository_url=${encodeURIComponent(name)}`;
};

/** From the commit, not by chance: a list that is made again is the same. */
function uuidOf({ product, commit, version }: SbomFacts): string {
  const hex = sha256(`${product} ${version} ${commit}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function inCyclone({ metadata, ...rest }: Cyclone, facts: SbomFacts): object {
  const component = { ...metadata.component, type: 'application', name: facts.product, version: facts.version };
  const base = {
    'bom-ref': 'base-image',
    type: 'container',
    name: nameOf(facts.base),
    version: digestOf(facts.base),
    purl: baseUrl(facts.base),
  };
  return {
    ...rest,
    serialNumber: `urn:uuid:${uuidOf(facts)}`,
    metadata: { ...metadata, timestamp: facts.time.toISOString(), component },
    components: [...rest.components, base],
  };
}

function inSpdx(document: Spdx, facts: SbomFacts): object {
  const [own] = document.packages;
  const base = {
    name: nameOf(facts.base),
    SPDXID: 'SPDXRef-BaseImage',
    versionInfo: digestOf(facts.base),
    primaryPackagePurpose: 'CONTAINER',
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: baseUrl(facts.base) }],
  };
  return {
    ...document,
    name: `${facts.product}@${facts.version}`,
    documentNamespace: `http://spdx.org/spdxdocs/${facts.product}-${facts.version}-${uuidOf(facts)}`,
    creationInfo: { ...document.creationInfo, created: facts.time.toISOString().replace(/\.\d+Z$/, 'Z') },
    packages: [
      { ...own, name: facts.product, versionInfo: facts.version, primaryPackagePurpose: 'APPLICATION' },
      ...document.packages.slice(1),
      base,
    ],
    relationships: [
      ...document.relationships,
      { spdxElementId: own?.SPDXID, relatedSpdxElement: base.SPDXID, relationshipType: 'DESCENDANT_OF' },
    ],
  };
}
