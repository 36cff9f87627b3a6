import type { Resource } from '../../engine/ports/kubernetes.ts';
import { kubePath } from '../../kube/http/client.ts';
import { own } from '../../lib/own.ts';
import { type AnyKind, asCollection, isGiven, namesIn } from '../../resource/index.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { selected } from '../cluster/select.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import type { OutputsData } from '../output/shapes.ts';
import { table } from '../output/table.ts';
import { podsUsing } from './used-by.ts';

interface Target {
  readonly kind: string;
  readonly name: string;
  readonly missing?: readonly string[];
}

/** Which Secrets and ConfigMaps an object fills, under which keys; values are shown one at a time, to a person. */
export const outputs: Verb = async (call) => {
  const [object, another] = call.args.length === 0 ? [] : await selected(call);
  if (object === undefined) throw new CliError(2, 'outputs of what? Write one object, KIND/NAME');
  if (another !== undefined)
    throw new CliError(2, `outputs shows one object at a time. Of the first: kubectl cloud outputs ${typed(object)}`);
  const targets = (object.status?.['outputs'] ?? []) as readonly Target[];
  const usedBy = targets.length === 0 ? undefined : await podsUsing(await call.session.reader(), object.metadata.namespace);
  const rows = await Promise.all(targets.map((target) => rowOf(call, object, target)));
  const data: OutputsData = {
    object: shownName(object),
    outputs: rows.map(({ kind, name, keys, missing }) => ({
      kind,
      name,
      keys,
      missing,
      ...(usedBy && { usedBy: [...usedBy(kind, name)] }),
    })),
  };
  const key = text(call.flags, 'reveal');
  if (key !== undefined) return { exit: 0, kind: 'Outputs', data, lines: revealed(call, key, rows).split('\n') };
  const shown = rows.map(({ kind, name, keys, missing }) => [
    kind,
    name,
    keys.join(', '),
    missing.join(', '),
    usedBy === undefined ? '? (you may not list pods)' : named(usedBy(kind, name)),
  ]);
  const none = `${shownName(object)} gives nothing out: spec.outputs names what goes where.`;
  const lines = [
    ...table(['KIND', 'NAME', 'KEYS', 'NOT THERE YET', 'PODS THAT TAKE IT'], shown),
    ...rows.flatMap((row) => neverTold(object, row)),
  ];
  return { exit: 0, kind: 'Outputs', data, lines: rows.length === 0 ? [none] : lines };
};

const mostNamed = 3;
const named = (pods: readonly string[]): string =>
  [...pods.slice(0, mostNamed), ...(pods.length > mostNamed ? [`${pods.length - mostNamed} more`] : [])].join(', ');

/** What is told once was told to whoever made what the object adopted: it comes only with another one. */
function neverTold(object: Resource, row: Row): readonly string[] {
  if (object.status?.['origin'] !== 'Adopted') return [];
  const kind = registry.kind(object.kind);
  const never = row.missing.filter((key) => namesIn(textOf(object, row, key)).some((name) => isOnce(kind, object, name)));
  const renewed = asCollection(kind)?.rotation === undefined ? '' : ` To have it renewed: kubectl cloud rotate ${typed(object)}`;
  return never.length === 0
    ? []
    : [
        `${never.join(', ')} will never be there for this one: it was told once, to whoever made ${shownRemote(object)}, and this object adopted that.${renewed}`,
      ];
}
function isOnce({ outputs = {} }: AnyKind, { spec }: Resource, name: string): boolean {
  const output = own(outputs, name);
  return output?.toldOnce !== undefined && isGiven(output, spec);
}

interface Wish {
  readonly secretName?: string;
  readonly keys?: Readonly<Record<string, string>>;
}
/** What was asked for under this key; in the Secret with everything each stands under its own name. */
function textOf({ spec }: Resource, { kind, name }: Row, key: string): string {
  const wishes = (spec['outputs'] ?? []) as readonly Wish[];
  const { keys = {} } = wishes.find(({ secretName }) => kind === 'Secret' && secretName === name) ?? {};
  return own(keys, key) ?? key;
}
const shownRemote = ({ status }: Resource): string => String(status?.['path'] ?? 'it');

type Row = OutputsData['outputs'][number] & { readonly values: Readonly<Record<string, string>> };

async function rowOf({ session }: Call, object: Resource, { kind, name, missing = [] }: Target): Promise<Row> {
  const resource = kind === 'Secret' ? 'secrets' : 'configmaps';
  const path = kubePath('api', 'v1', 'namespaces', object.metadata.namespace, resource, name);
  const found = (await (await session.reader()).optional(path)) as { readonly data?: Readonly<Record<string, string>> } | undefined;
  if (found === undefined) session.warn(`${kind} ${object.metadata.namespace}/${name} is not there, or you may not get it`);
  const values = Object.fromEntries(
    Object.entries(found?.data ?? {}).map(([key, value]) => [
      key,
      kind === 'Secret' ? Buffer.from(value, 'base64').toString('utf8') : value,
    ]),
  );
  return { kind, name, keys: Object.keys(values), missing: [...missing], values };
}

/** To nobody but a person: a pipe, a file and JSON get none. */
function revealed({ session, flags }: Call, key: string, rows: readonly Row[]): string {
  if (session.host.person === undefined || text(flags, 'output') !== 'text')
    throw new CliError(3, '--reveal shows a value on a terminal only: in a script read the Secret itself');
  const value = rows.map(({ values }) => own(values, key)).find((one) => one !== undefined);
  if (value === undefined) throw new CliError(4, `there is no key ${key}: kubectl cloud outputs without --reveal shows which there are`);
  return value;
}
