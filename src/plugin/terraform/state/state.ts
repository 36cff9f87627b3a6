import * as z from 'zod';
import { CliError } from '../../exit.ts';
import { addressOf, isModule, isName } from './address.ts';
import { asPulled } from './shown.ts';
import { type Attributes, isRecord } from '../../../kinds/terraform/rule.ts';

/** One instance of a resource. */
export interface Instance {
  /** As Terraform writes it. */
  readonly address: string;
  /** Of the whole resource, without keys of instances; undefined where keys are in it. */
  readonly resource: string | undefined;
  readonly type: string;
  /** Alias of the provider's configuration; undefined: the default one. */
  readonly alias: string | undefined;
  readonly attributes: Attributes;
  /** Top-level attributes that the state itself calls sensitive. */
  readonly sensitive: ReadonlySet<string>;
  readonly schemaVersion: number;
  readonly isTainted: boolean;
  readonly isDeposed: boolean;
  /** What its object may be called after. */
  readonly words: readonly string[];
}

export interface State {
  readonly lineage: string;
  readonly serial: number;
  readonly terraform: string;
  readonly instances: readonly Instance[];
  /** Of other providers, which are not looked at. */
  readonly others: number;
  /** It was written by terraform show, which does not say which configuration of the provider made what. */
  readonly isShown: boolean;
}

const step = z.object({ type: z.string(), value: z.unknown() });
const instance = z.object({
  index_key: z.union([z.string(), z.int()]).optional(),
  status: z.string().optional(),
  deposed: z.string().optional(),
  schema_version: z.int().optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
  attributes_flat: z.unknown().optional(),
  sensitive_attributes: z.array(z.array(step)).nullish(),
});
const resource = z.object({
  module: z.string().optional(),
  mode: z.string(),
  type: z.string(),
  name: z.string(),
  provider: z.string(),
  instances: z.array(instance),
});
const state = z.object({
  version: z.literal(4),
  terraform_version: z.string().optional(),
  serial: z.int().optional(),
  lineage: z.string().optional(),
  resources: z.array(resource),
});
type Resource = z.output<typeof resource>;

const asWritten = 'Write it with terraform state pull of a current version (tofu state pull with its key), and name that file';

/** Reads a state. What is in it is never part of a message: it may be a secret. */
export function stateOf(name: string, text: string): State {
  const json = parsed(name, text);
  const isShown = isRecord(json) && 'format_version' in json;
  const { resources, lineage = '', serial = 0, terraform_version: terraform = '' } = pulled(name, json, isShown);
  const managed = resources.filter(({ mode }) => mode === 'managed');
  const ours = managed.filter(({ provider }) => aliasOf(provider) !== undefined);
  if (ours.some(({ instances }) => instances.some((one) => one.attributes_flat !== undefined)))
    throw new CliError(2, `${name} is of Terraform 0.11 or older. ${asWritten}`);
  const instances = ours.flatMap(instancesOf);
  return { lineage, serial, terraform, instances, others: managed.length - ours.length, isShown };
}

function pulled(name: string, json: unknown, isShown: boolean): z.output<typeof state> {
  const other = isRecord(json) ? anotherForm(json) : undefined;
  if (other !== undefined) throw new CliError(2, `${name} is ${other}. ${asWritten}`);
  const read = state.safeParse(isShown && isRecord(json) ? asPulled(json) : json);
  if (!read.success) throw new CliError(2, `${name} is no state of Terraform: ${where(read.error)} is not as it should be. ${asWritten}`);
  return read.data;
}

function anotherForm(json: Attributes): string | undefined {
  if ('encrypted_data' in json) return 'encrypted';
  if ('format_version' in json) return 'planned_values' in json || 'resource_changes' in json ? 'a plan, and not a state' : undefined;
  return 'version' in json && json['version'] !== 4 ? 'not of state version 4' : undefined;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(2, `${name} is no JSON. ${asWritten}`);
  }
}
const where = ({ issues }: z.ZodError): string => issues[0]?.path.slice(0, 4).map(String).join('.') || 'it';

/** `''` is the default configuration; undefined: another provider. */
function aliasOf(provider: string): string | undefined {
  const now = /^(?:.*\.)?provider\["[^"]*\/linode\/linode"\](?:\.([\w-]+))?$/.exec(provider);
  const before =
    now ?? /^(?:.*\.)?provider\["[^"]*\/-\/linode"\](?:\.([\w-]+))?$/.exec(provider) ?? /^provider\.linode(?:\.([\w-]+))?$/.exec(provider);
  return before === null ? undefined : (before[1] ?? '');
}

function instancesOf(of: Resource): readonly Instance[] {
  if (!isName(of.type) || !isName(of.name) || (of.module !== undefined && !isModule(of.module)))
    throw new CliError(
      2,
      'the state has a resource whose address Terraform itself would not take. It was changed by hand, and is not read',
    );
  const whole = [of.module, of.type, of.name].filter((word) => word !== undefined).join('.');
  return of.instances.map((one) => ({
    address: addressOf(whole, one.index_key),
    resource: one.index_key === undefined && !whole.includes('[') ? whole : undefined,
    type: of.type,
    alias: aliasOf(of.provider) || undefined,
    attributes: one.attributes ?? {},
    sensitive: new Set((one.sensitive_attributes ?? []).flatMap(([first]) => (typeof first?.value === 'string' ? [first.value] : []))),
    schemaVersion: one.schema_version ?? 0,
    isTainted: one.status === 'tainted',
    isDeposed: one.deposed !== undefined,
    words: [...modulesOf(of.module), of.name, ...(one.index_key === undefined ? [] : [String(one.index_key)])],
  }));
}

/** `module.shop["eu"].module.web` is shop, eu, web. */
const modulesOf = (module = ''): readonly string[] => module.split(/\.?module\.|[[\]"]+/).filter((word) => word !== '' && word !== '.');
