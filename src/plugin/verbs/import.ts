import { join } from 'node:path';
import { withAccount } from '../account/account-reader.ts';
import { tellSkew } from '../cluster/skew.ts';
import type { Answer, Call, Verb } from '../command.ts';
import { CliError } from '../exit.ts';
import { writeAll } from '../export/files.ts';
import { on } from '../flag.ts';
import { registry } from '../kinds.ts';
import type { ImportData } from '../output/account-shapes.ts';
import { table } from '../output/table.ts';
import { forgetting } from '../terraform/forget.ts';
import { type Brought, imported, offline } from '../terraform/imported.ts';
import { chosenBy, Gathering, type Item } from '../terraform/items.ts';
import { mapping } from '../terraform/mapping.ts';
import { type State, stateOf } from '../terraform/state.ts';
import { accountOf, type Wishes, wishesOf } from '../terraform/wishes.ts';
import { reportOf } from '../terraform/report.ts';
import { fileOf } from '../export/layout.ts';

/** What a Terraform state has, as manifests that change nothing. */
export const importStates: Verb = (call) => (on(call.flags, 'mapping') ? Promise.resolve(shownMapping()) : written(call));

async function written(call: Call): Promise<Answer> {
  const wishes = await wishesOf(call);
  const state = await stateFrom(call, wishes.state);
  const gathered = new Gathering(state, chosenBy(state, wishes.include, wishes.exclude));
  const { accounts, brought } = await broughtIn(call, wishes, gathered.items);
  const manifests = new Map(brought.flatMap((one) => ('manifest' in one ? [[`${one.item.kind} ${one.name}`, one.manifest] as const] : [])));
  const { namespace } = wishes.styleOf('default');
  const files = new Map(wishes.to === '-' ? [] : [...manifests].map(([key, text]) => [placed(wishes.to, namespace, key), text]));
  if (wishes.forget !== undefined)
    for (const [name, text] of forgetting(forgettable(state, gathered, brought))) files.set(join(wishes.forget, name), text);
  await writeAll(call.session.host, files);
  const data = dataOf({ state, gathered, brought, wishes, accounts, files: [...files.keys()] });
  const text = wishes.to === '-' ? [...manifests.values()].join('---\n') : reportOf(data);
  return { exit: data.left.length > 0 ? 1 : 0, kind: 'Import', data, text };
}

function placed(to: string, namespace: string, key: string): string {
  const [kind = '', name = ''] = key.split(' ');
  return join(to, fileOf({ kind, namespace, name }, 'namespace', false));
}

async function stateFrom({ session }: Call, path: string): Promise<State> {
  const [file, another] = await session.host.readFiles(path, false);
  if (file === undefined || another !== undefined) throw new CliError(2, `${path} is not one file: name the state itself`);
  return stateOf(path === '-' ? 'standard input' : path, file.text);
}

function shownMapping(): Answer {
  const data = { mapping: mapping() };
  const rows = data.mapping.map(({ type, attribute, becomes }) => [type, attribute, becomes]);
  return { exit: 0, kind: 'Mapping', data, text: table(['TYPE', 'ATTRIBUTE', 'BECOMES'], rows) };
}

async function broughtIn(call: Call, wishes: Wishes, items: readonly Item[]) {
  const groups = Map.groupBy(items, ({ alias }) => accountOf(wishes, alias));
  const accounts: ImportData['accounts'][number][] = [];
  const brought: Brought[] = [];
  for (const [name, group] of groups) {
    const style = wishes.styleOf(name);
    if (!wishes.asks) brought.push(...offline(group, style));
    else
      await withAccount({ ...call, flags: { ...call.flags, account: name } }, 'import', async (account) => {
        const known = registry.kinds.map(({ kind }) => kind).filter((kind) => group.some((item) => item.kind === kind));
        await tellSkew(call.session, known);
        accounts.push(account.shown);
        brought.push(...(await imported(call, account, group, style)));
      });
  }
  return { accounts, brought };
}

/** Resources of which all that they say is in a manifest now. */
function forgettable({ instances }: State, { left }: Gathering, brought: readonly Brought[]): State['instances'] {
  const written = new Set(brought.flatMap((one) => ('manifest' in one ? one.item.addresses : [])));
  const kept = new Set([...brought.flatMap((one) => ('why' in one ? one.item.addresses : [])), ...left.map(({ address }) => address)]);
  return instances.filter(({ address }) => written.has(address) && !kept.has(address));
}

interface Whole {
  readonly state: State;
  readonly gathered: Gathering;
  readonly brought: readonly Brought[];
  readonly wishes: Wishes;
  readonly accounts: ImportData['accounts'];
  readonly files: readonly string[];
}
const unwritten = ({ state, brought }: Whole): ImportData['left'] => {
  const typeOf = new Map(state.instances.map(({ address, type }) => [address, type]));
  return brought.flatMap((one) =>
    'why' in one
      ? one.item.addresses.map((address) => ({
          address,
          type: typeOf.get(address) ?? '',
          why: `${one.item.kind} ${one.item.id}: ${one.why}`,
        }))
      : [],
  );
};
function dataOf(whole: Whole): ImportData {
  const { state, gathered, brought, wishes, accounts, files } = whole;
  return {
    state: {
      lineage: state.lineage,
      serial: state.serial,
      terraform: state.terraform,
      instances: state.instances.length,
      others: state.others,
    },
    accounts: [...accounts],
    to: wishes.to,
    files: [...files],
    written: brought.flatMap((one) =>
      'manifest' in one
        ? [
            {
              addresses: one.item.addresses,
              kind: one.item.kind,
              id: one.item.id,
              name: one.name,
              proven: one.proven,
              ...(one.differs !== undefined && { differs: one.differs }),
            },
          ]
        : [],
    ),
    left: [...gathered.left, ...unwritten(whole)],
    notes: [...gathered.notes],
    secrets: gathered.secrets,
    rotate: gathered.rotate,
  };
}
