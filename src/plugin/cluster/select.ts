import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { group } from '../../generate/names.ts';
import { closest } from '../../lib/closest.ts';
import type { AnyKind } from '../../resource/index.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { kindCalled, kindFrom, registry } from '../command-line/kinds.ts';
import { shownName } from './naming.ts';
import { nearest } from './nearest.ts';
import { refuseWithoutCrds } from './reader.ts';

/** The objects that a line names, as kubectl lets one name them; each is there. */
export async function selected(call: Call): Promise<readonly Resource[]> {
  const { args } = call;
  if (text(call.flags, 'filename') !== undefined) return fromFiles(call);
  const [first = ''] = args;
  if (args.length === 0) return chosen(call, registry.kinds);
  if (args.length === 1 && first.includes(',')) return chosen(call, first.split(',').map(kindFrom));
  // All words are read before anything is asked for: who asked for the first would end unheard where the second one is wrong.
  const each = await orByName(call);
  if (each.length > 0) return thoseThere(each.map((one) => named(call, ...one)));
  const kind = kindCalled(first);
  return kind === undefined ? Promise.all(args.map((name) => theOne(call, name))) : chosen(call, [kind]);
}

/** What a line names one by one, by kind; none where it names kinds alone, or names alone. */
export function eachNamed(args: Call['args']): readonly (readonly [AnyKind, string])[] {
  if (args.some((word) => word.includes('/'))) return args.map(parts);
  const [first = '', ...names] = args;
  const kind = kindCalled(first);
  return kind === undefined ? [] : names.map((name) => [kind, name]);
}

/** Those that manifests name; each is there, but for whoever waits for its end. */
async function fromFiles(call: Call): Promise<readonly Resource[]> {
  const { found, missing } = await inFiles(call);
  if (missing.length > 0 && !mayBeGone(call.flags)) throw new CliError(4, `not found: ${missing.join(', ')}. Apply the manifests first`);
  return found;
}

/** What manifests name: the objects that are there, and the names of those that are not. */
export async function inFiles({ session, flags, args }: Call): Promise<{ found: readonly Resource[]; missing: readonly string[] }> {
  if (args.length > 0) throw new CliError(2, 'name either manifests with -f, or objects as KIND/NAME');
  const paths = (text(flags, 'filename') ?? '').split('\n');
  const files = await Promise.all(paths.map((path) => session.host.readFiles(path, on(flags, 'recursive'))));
  const { manifestsIn } = await import('../plan/targets/manifests.ts');
  const { ours } = manifestsIn(files.flat(), await session.namespace());
  const reader = await session.reader();
  const found = await Promise.all(ours.map((manifest) => reader.get(manifest.kind, manifest)));
  const missing = ours.filter((_, at) => found[at] === undefined);
  return {
    found: found.filter((object) => object !== undefined),
    missing: missing.map(({ kind, ...metadata }) => shownName({ kind: kind.kind, metadata })),
  };
}

/** Whether a line is about all kinds of a namespace, or of all. */
export const isAboutAll = ({ args, flags }: Pick<Call, 'args' | 'flags'>): boolean =>
  args.length === 0 && ['selector', 'filename'].every((flag) => text(flags, flag) === undefined);

/** Whether a line says which objects it is about. */
export const isChosen = ({ args, flags }: Pick<Call, 'args' | 'flags'>): boolean =>
  args.length > 0 || on(flags, 'allNamespaces') || ['selector', 'filename'].some((flag) => text(flags, flag) !== undefined);
/** For what only looks, a namespace alone is all that is in it; what writes wants more than that. */
export const isAbout = (call: Pick<Call, 'args' | 'flags'>): boolean => isChosen(call) || text(call.flags, 'namespace') !== undefined;

function parts(word: string): readonly [AnyKind, string] {
  const [kind = '', name = '', ...more] = word.split('/');
  if (name === '' || more.length > 0) throw new CliError(2, `${word} names no object: write KIND/NAME, and its namespace with -n`);
  return [kindFrom(kind), name];
}

const thoseThere = async (named: readonly Promise<Resource | undefined>[]): Promise<readonly Resource[]> =>
  (await Promise.all(named)).filter((object) => object !== undefined);

/** Whoever waits until it is deleted has what was asked for when it is not there any more. */
const mayBeGone = (flags: Call['flags']): boolean => text(flags, 'for') === 'Deleted';

async function named({ session, flags }: Call, kind: AnyKind, name: string): Promise<Resource | undefined> {
  const key: Key = { namespace: await session.namespace(), name };
  const reader = await session.reader();
  const found = await reader.get(kind, key);
  if (found !== undefined || mayBeGone(flags)) return found;
  const hint = text(flags, 'namespace') === undefined ? '; name its namespace with -n' : '';
  throw new CliError(4, `${shownName({ kind: kind.kind, metadata: key })} is not found${(await nearest(reader, kind, key)) ?? hint}`);
}

/** Where the word for a kind is none, what is there under that name tells best what was meant. */
async function orByName(call: Call): Promise<ReturnType<typeof eachNamed>> {
  try {
    return eachNamed(call.args);
  } catch (error) {
    const wrong = call.args.find((word) => /^[^/]+\/[^/]+$/.test(word) && kindCalled(word.split('/', 1).join('')) === undefined);
    if (wrong === undefined || !(error instanceof CliError)) throw error;
    const [word = '', name = ''] = wrong.split('/');
    const meant = await calledSo(call, name).catch(() => []);
    if (meant.length === 0) throw error;
    const likes = meant.map(({ kind, metadata }) => `${registry.kind(kind).shortName}/${metadata.name}`);
    throw new CliError(2, `${word} is no kind of ${group}. Did you mean ${closest(wrong, likes).join(', ')}?`);
  }
}

async function calledSo({ session }: Pick<Call, 'session'>, name: string): Promise<readonly Resource[]> {
  const [namespace, reader] = [await session.namespace(), await session.reader()];
  const all = await Promise.all(registry.kinds.map((kind) => reader.get(kind, { namespace, name })));
  return all.filter((object) => object !== undefined);
}

type Asking = Pick<Call, 'session' | 'flags'>;

/** The namespace that a line is about, where there is none of that name. */
export async function absent({ session, flags }: Asking): Promise<string | undefined> {
  if (on(flags, 'allNamespaces') || session.isAlone) return undefined;
  const namespace = await session.namespace();
  return (await (await session.reader()).isAbsent(`/api/v1/namespaces/${encodeURIComponent(namespace)}`)) ? namespace : undefined;
}

/** `in namespace shop. -A looks in all namespaces`, of what was not found there. */
export async function nowhere({ session, flags }: Asking): Promise<string> {
  if (on(flags, 'allNamespaces')) return '.';
  const namespace = await session.namespace();
  const isThere = (await absent({ session, flags })) === undefined;
  return ` in namespace ${namespace}${isThere ? '' : ', which does not exist'}. -A looks in all namespaces.`;
}

/** Nothing was found. Of a cluster without the CRDs that is no answer, and of a namespace that does not exist neither: it is another one than was meant. */
export async function nothing(asking: Asking, said: string): Promise<string> {
  const { session } = asking;
  if (!session.isAlone) await refuseWithoutCrds(await session.reader());
  return nothingThere(asking, said);
}

/** The same where what is wrong with the cluster is told anyway. */
export async function nothingThere(asking: Asking, said: string): Promise<string> {
  const namespace = await absent(asking);
  if (namespace !== undefined) throw new CliError(4, `namespace ${namespace} does not exist in this cluster. -A looks in all namespaces`);
  return `${said}${await nowhere(asking)}`;
}

/** A name without a kind is taken where it fits exactly one object. */
async function theOne(call: Call, name: string): Promise<Resource> {
  const namespace = await call.session.namespace();
  const found = await calledSo(call, name);
  const [object, another] = found;
  if (object !== undefined && another === undefined) return object;
  if (object !== undefined) throw new CliError(2, `${name} is several: ${found.map(shownName).join(', ')}. Write KIND/NAME`);
  throw new CliError(
    4,
    `nothing in namespace ${namespace} is called ${name}; ${name} is no kind either. Write KIND/NAME, and the namespace with -n`,
  );
}

/** All of some kinds, by namespace and labels. */
async function chosen({ session, flags }: Call, kinds: readonly AnyKind[]): Promise<readonly Resource[]> {
  const namespace = on(flags, 'allNamespaces') ? undefined : await session.namespace();
  const reader = await session.reader();
  const lists = await Promise.all(kinds.map((kind) => reader.list(kind, namespace, text(flags, 'selector'))));
  return lists.flat();
}
