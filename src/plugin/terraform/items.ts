import type { RemoteId } from '../../resource/index.ts';
import type { Instance, State } from './state/state.ts';
import { CliError } from '../exit.ts';
import { distinct } from '../export/placing/names.ts';
import { nameFrom, isBelow } from './state/address.ts';
import { type Reading, readingOf } from './state/reading.ts';
import {
  type Attributes,
  type Here,
  type Instead,
  integer,
  type ObjectRule,
  type Sought,
  type TypeRule,
} from '../../kinds/terraform/rule.ts';
import { types } from '../../kinds/terraform/resources.ts';

/** What becomes one object. */
export interface Item {
  readonly kind: string;
  readonly id: RemoteId;
  readonly name: string;
  /** Of the resources that say something of it, the one that it is called after first. */
  readonly addresses: string[];
  readonly alias: string | undefined;
  readonly want: Record<string, unknown>;
  /** Its fields are those that the account shows. */
  readonly whole: boolean;
  /** The state does not say its id. */
  readonly sought: Sought | undefined;
  /** Fields whose value the state calls sensitive. */
  readonly held: Set<string>;
  /** What of it stays in Terraform. */
  readonly stays: string | undefined;
  /** It is never managed. */
  readonly observed: boolean;
}

export interface Told {
  readonly address: string;
  readonly type: string;
  readonly why: string;
}

/** What a state comes to, before anybody is asked. */
export interface Items {
  readonly items: readonly Item[];
  /** What no object is made of, and why. */
  readonly left: readonly Told[];
  /** What is made into an object and yet wants to be known. */
  readonly notes: readonly Told[];
  /** Attributes that were held back, how many of each type. */
  readonly secrets: readonly { readonly address: string; readonly attribute: string }[];
  /** Addresses of credentials that the state has in clear. */
  readonly rotate: readonly string[];
}

/** What a line asks of the attributes. */
export interface Asking {
  readonly withImage: boolean;
  readonly withCreateFields: boolean;
  /** What is part of an object that is not imported stays, and is made no object of its own. */
  readonly inlinePools: boolean;
  /** Flags by which something is made of what otherwise stays. */
  readonly instead?: ReadonlySet<string>;
}
const nothing: Asking = { withImage: false, withCreateFields: false, inlinePools: false };

interface Work {
  readonly type: string;
  readonly attributes: Attributes;
  readonly instance: Instance;
  readonly words: readonly string[];
}

/** Every resource that the line chooses, as what it comes to. */
export class Gathering implements Items {
  readonly left: Told[] = [];
  readonly notes: Told[] = [];
  readonly secrets: { address: string; attribute: string }[] = [];
  readonly rotate: string[] = [];
  readonly #items = new Map<string, Item>();
  readonly #names = new Set<string>();
  readonly #here: Here;
  readonly #inlinePools: boolean;
  readonly #instead: ReadonlySet<string>;

  constructor(state: State, isChosen: (address: string) => boolean, asking: Asking = nothing) {
    const known = new Map(state.instances.map(({ type, attributes }) => [`${type} ${String(attributes['id'])}`, attributes]));
    const flags = { 'with-image': asking.withImage, 'with-create-fields': asking.withCreateFields };
    this.#here = { resource: (type, id) => known.get(`${type} ${id}`), asks: (flag) => flags[flag] };
    this.#inlinePools = asking.inlinePools;
    this.#instead = asking.instead ?? new Set();
    const chosen = state.instances.filter(({ address }) => isChosen(address));
    const parts: Work[] = [];
    for (const instance of chosen) this.#instance(instance, parts);
    for (const part of parts) this.#part(part);
  }

  get items(): readonly Item[] {
    return [...this.#items.values()];
  }

  #instance(instance: Instance, parts: Work[]): void {
    const { type, isDeposed, isTainted, schemaVersion } = instance;
    if (isDeposed)
      return this.#leave(
        instance,
        `it is the deposed instance of a replacement, with id ${idText(instance.attributes['id'])}: terraform apply would destroy it`,
      );
    if (isTainted) this.#note(instance, 'it is tainted: Terraform would make it anew, and the operator keeps it');
    if (schemaVersion > newestSchema)
      this.#note(instance, `its schema is of version ${schemaVersion}, which this release does not know; it is read by name`);
    this.#work({ type, attributes: instance.attributes, instance, words: instance.words }, parts);
  }

  #work(work: Work, parts: Work[]): void {
    const { instance, type } = work;
    const rule = Object.hasOwn(types, type) ? types[type] : undefined;
    if (rule === undefined) return this.#leave(instance, 'this release does not know this type');
    if (rule.is === 'nothing') {
      if (rule.rotate === true) this.rotate.push(instance.address);
      if (rule.instead !== undefined && this.#instead.has(rule.instead.asked))
        return this.#object(rule.instead.rule, work, this.#read(rule.instead.rule, work), rule.instead);
      return this.#leave(instance, rule.why);
    }
    if (rule.is === 'part') return void parts.push(work);
    const reading = this.#read(rule, work);
    if (rule.is === 'object') this.#object(rule, work, reading);
    for (const one of reading.further)
      this.#work({ type: one.type, attributes: one.attributes, instance, words: [...work.words, one.called] }, parts);
  }

  #read(rule: Exclude<TypeRule, { readonly is: 'nothing' }>, { attributes, instance }: Work): Reading {
    const reading = readingOf(rule.rules, openIn(instance, attributes), this.#here);
    const held = Object.keys(attributes).filter((name) => instance.sensitive.has(name) && attributes[name] !== null);
    for (const attribute of [...reading.secrets, ...held]) this.secrets.push({ address: instance.address, attribute });
    for (const [attribute, why] of reading.told) this.#note(instance, `${attribute}: ${why}`);
    if (reading.unknown.length > 0)
      this.#note(
        instance,
        `${reading.unknown.join(', ')}: this release does not know ${reading.unknown.length === 1 ? 'it' : 'them'}; left as in the account`,
      );
    return reading;
  }

  #object(rule: ObjectRule, { attributes, instance, words, type }: Work, reading: Reading, instead?: Instead): void {
    const not = rule.not?.(attributes);
    if (not !== undefined) return this.#leave(instance, not);
    const { id, sought } = instance.sensitive.has('id') ? unknown : identityOf(rule, openIn(instance, attributes));
    if (id === undefined) return this.#leave(instance, `${type}: the state does not say which one it is in the account`);
    const key = `${rule.kind} ${id} ${instance.alias ?? ''}`;
    const known = this.#items.get(key);
    const held = Object.entries(rule.rules).flatMap(([name, one]) => (instance.sensitive.has(name) && 'field' in one ? [one.field] : []));
    if (known !== undefined) return join(known, instance.address, reading.want, held);
    const name = this.#name(rule.kind, words, instance.address);
    const { alias, address } = instance;
    this.#items.set(key, {
      kind: rule.kind,
      id,
      name,
      addresses: [address],
      alias,
      want: reading.want,
      whole: rule.whole === true,
      sought,
      held: new Set(held),
      stays: instead?.stays,
      observed: instead?.observed === true,
    });
  }

  #part({ type, attributes, instance, words }: Work): void {
    const rule = types[type];
    if (rule?.is !== 'part') return;
    const id = rule.id(attributes);
    const owner = id === undefined ? undefined : this.#items.get(`${rule.kind} ${id} ${instance.alias ?? ''}`);
    const work: Work = { type, attributes, instance, words };
    if (owner !== undefined) return join(owner, instance.address, this.#read(rule, work).want, []);
    if (rule.alone !== undefined && !this.#inlinePools) return this.#object(rule.alone, work, this.#read(rule.alone, work));
    this.#leave(instance, `it says something of the ${rule.kind} with id ${idText(id)}, which is not among what is imported: say it there`);
  }

  #name(kind: string, words: readonly string[], address: string): string {
    const plain = nameFrom(words, address);
    const name = this.#names.has(`${kind} ${plain}`) ? distinct(plain, `${address} ${words.join(' ')}`) : plain;
    this.#names.add(`${kind} ${name}`);
    return name;
  }

  #leave({ address, type }: Instance, why: string): void {
    this.left.push({ address, type, why });
  }
  #note({ address, type }: Instance, why: string): void {
    this.notes.push({ address, type, why });
  }
}

/** The highest of all types, those of load balancers, until provider 3.13. */
const newestSchema = 1;

/** Several resources say something of one thing: lists are put together, of all else the last one counts. */
function join(item: Item, address: string, want: Readonly<Record<string, unknown>>, held: readonly string[]): void {
  if (!item.addresses.includes(address)) item.addresses.push(address);
  for (const field of held) item.held.add(field);
  for (const [field, value] of Object.entries(want)) {
    const known = item.want[field];
    item.want[field] =
      Array.isArray(known) && Array.isArray(value) ? [...new Set([...(known as unknown[]), ...(value as unknown[])])] : value;
  }
}

/** What the state calls sensitive is read by nothing, as an id is shown too. */
const openIn = ({ sensitive }: Instance, attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !sensitive.has(name)));

interface Identity {
  readonly id: RemoteId | undefined;
  readonly sought: Sought | undefined;
}
const unknown: Identity = { id: undefined, sought: undefined };
function identityOf(rule: ObjectRule, attributes: Attributes): Identity {
  const id = rule.id(attributes);
  const sought = id === undefined ? rule.like?.(attributes) : undefined;
  return { id: id ?? sought?.called, sought };
}

/** A number is no secret; what else stands there is not shown. */
const idText = (id: unknown): string => (integer(id) === undefined ? 'unknown' : String(id));

/** What `--include` and `--exclude` leave; an address that names nothing was mistyped. */
export function chosenBy({ instances }: State, include: readonly string[], exclude: readonly string[]): (address: string) => boolean {
  const empty = [...include, ...exclude].find((above) => !instances.some(({ address }) => isBelow(address, above)));
  if (empty !== undefined)
    throw new CliError(2, `nothing in the state is at or below ${empty}: write an address as terraform state list shows it`);
  return (address) =>
    (include.length === 0 || include.some((above) => isBelow(address, above))) && !exclude.some((above) => isBelow(address, above));
}
