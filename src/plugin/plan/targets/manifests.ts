import { parseAllDocuments, type ParseOptions, type DocumentOptions, type SchemaOptions } from 'yaml';
import {
  group,
  labelAnnotation,
  remoteAnnotation,
  intentAnnotation,
  replacingAnnotation,
  retiringAnnotation,
  twinsAnnotation,
} from '../../../engine/model/annotations.ts';
import { type AnyKind, asOperation, isObjectName, type Row } from '../../../resource/index.ts';
import { CliError } from '../../exit.ts';
import type { TextFile } from '../../host.ts';
import { registry } from '../../command-line/kinds.ts';

/** One document of ours. */
export interface Manifest {
  readonly file: string;
  readonly kind: AnyKind;
  readonly apiVersion: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Of our group, without those that are the operator's own. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Row;
  /** What else stands at the top, where nothing else belongs: the API server says so. */
  readonly beside: Row;
}
export interface Manifests {
  readonly ours: readonly Manifest[];
  /** Secrets among them, as `shop/web-root`. */
  readonly secrets: readonly string[];
  /** How many documents are of other groups. */
  readonly others: number;
  /** Names of annotations that were left out, with where. */
  readonly leftOut: readonly string[];
  /** Operations of which each sync makes another one, with where. */
  readonly generated: readonly string[];
}

interface Document {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly items?: unknown;
  /** What has nothing behind its colon is null, and counts as absent. */
  readonly metadata?: {
    readonly name?: unknown;
    readonly generateName?: unknown;
    readonly namespace?: string | null;
    readonly labels?: Readonly<Record<string, string>> | null;
    readonly annotations?: Readonly<Record<string, string>> | null;
  } | null;
  readonly spec?: Row | null;
  /** Not part of a plan, as kubectl apply passes over it: only the operator writes it. */
  readonly status?: unknown;
}

const operators = new Set([remoteAnnotation, intentAnnotation, replacingAnnotation, twinsAnnotation, labelAnnotation, retiringAnnotation]);

/** Everything of our group in these files; what is in no namespace is in `namespace`. */
export function manifestsIn(files: readonly TextFile[], namespace: string): Manifests {
  const all = files.flatMap((file) => documentsOf(file).map((document) => ({ file: file.name, document })));
  const named = all.filter(({ document }) => String(document.apiVersion).startsWith(`${group}/`));
  const ours = named.filter(({ document }) => !isGenerated(document));
  const leftOut: string[] = [];
  const read = ours.map(({ file, document }) => manifest(file, document, { namespace, leftOut }));
  const seen = new Set<string>();
  for (const { kind, name, namespace: where, file } of read) {
    const id = `${kind.kind} ${where}/${name}`;
    if (seen.has(id)) throw new CliError(2, `${file}: ${id} stands there for the second time. Leave one`);
    seen.add(id);
  }
  const secrets = all.flatMap(({ document: { apiVersion, kind, metadata } }) =>
    apiVersion === 'v1' && kind === 'Secret' ? [`${metadata?.namespace ?? namespace}/${String(metadata?.name)}`] : [],
  );
  const generated = named.flatMap(({ file, document }) =>
    isGenerated(document) ? [`${String(document.kind)} ${String(document.metadata?.generateName)} (${file})`] : [],
  );
  return { ours: read, secrets, others: all.length - named.length, leftOut, generated };
}

/** Of anything else one more for each sync is no plan, and is refused for want of a name. */
const isGenerated = ({ kind, metadata }: Document): boolean => {
  const { name, generateName } = metadata ?? {};
  const known = registry.kinds.find((one) => one.kind === kind);
  return known !== undefined && asOperation(known) !== undefined && name === undefined && typeof generateName === 'string';
};

/** As kubectl reads YAML: `On` is true, `0777` an octal number, but `12:30` and a time are texts. */
const asKubectl: ParseOptions & DocumentOptions & SchemaOptions = {
  schema: 'yaml-1.1',
  merge: true,
  customTags: (tags) =>
    tags.filter((tag) => typeof tag === 'string' || !(tag.format === 'TIME' || tag.tag === 'tag:yaml.org,2002:timestamp')),
};

function documentsOf({ name, text }: TextFile): readonly Document[] {
  return parseAllDocuments(text, asKubectl).flatMap((parsed) => {
    const [error] = parsed.errors;
    if (error !== undefined) throw new CliError(2, `${name} cannot be read: ${error.message}`);
    return unfolded(valueOf(name, parsed));
  });
}
/** An anchor may hold itself, or so much of others that nobody could hold it. */
function valueOf(name: string, parsed: ReturnType<typeof parseAllDocuments>[number]): Document | null {
  try {
    const read = parsed.toJS() as Document | null;
    JSON.stringify(read);
    return read;
  } catch {
    throw new CliError(
      2,
      `${name} cannot be read: its aliases (*name) lead back to themselves, or to too much. Write out what they stand for`,
    );
  }
}
const unfolded = (document: Document | null): readonly Document[] => {
  if (typeof document !== 'object' || document === null) return [];
  return Array.isArray(document.items) ? (document.items as readonly (Document | null)[]).flatMap(unfolded) : [document];
};

/** Where no API server is asked, nobody else refuses it; and what is shown of a plan goes into comments, as markup. */
function mayBeCalled(file: string, { kind }: AnyKind, place: { readonly name: string; readonly namespace: string }): void {
  const [odd] = Object.entries(place).filter(([, text]) => !isObjectName(text));
  if (odd === undefined) return;
  const [field, text] = odd;
  throw new CliError(
    4,
    `${file}: metadata.${field} of a ${kind} is none that Kubernetes takes: ${JSON.stringify(text).slice(0, 100)}. Write lower-case letters, digits and dashes, for example web-1`,
  );
}

function manifest(
  file: string,
  { apiVersion, kind, metadata, spec, status: _status, ...beside }: Document,
  { namespace, leftOut }: { readonly namespace: string; readonly leftOut: string[] },
): Manifest {
  const { name, ...more } = metadata ?? {};
  const [where, labels, annotations] = [more.namespace ?? namespace, more.labels ?? {}, more.annotations ?? {}];
  const known = registry.kinds.find((one) => one.kind === kind);
  if (known === undefined) throw new CliError(2, `${file}: ${String(kind)} is no kind of ${group} in this release`);
  if (typeof name !== 'string' || name === '') throw new CliError(2, `${file}: a ${known.kind} has no metadata.name`);
  mayBeCalled(file, known, { name, namespace: where });
  const own = Object.entries(annotations).filter(([annotation]) => annotation.startsWith(`${group}/`));
  for (const [annotation] of own.filter(([one]) => operators.has(one)))
    leftOut.push(`${annotation} of ${known.kind} ${where}/${name} (${file})`);
  return {
    file,
    kind: known,
    apiVersion: String(apiVersion),
    name,
    namespace: where,
    labels,
    annotations: Object.fromEntries(own.filter(([annotation]) => !operators.has(annotation))),
    spec: spec ?? {},
    beside,
  };
}
