import * as z from 'zod';
import {
  type AnyWant,
  type Call,
  type DeleteWait,
  goneToOthers,
  firstAddress,
  type Health,
  type Leaving,
  outOfAction,
  path,
  post,
  progressing,
  ready,
  type RemoteId,
  seconds,
} from '../../resource/index.ts';
import { addressPath } from './reverse-dns.ts';

/** A row of `GET /networking/ips`, or one of `GET /networking/ipv6/ranges`, of which the create tells two fields alone. */
export const Address = z
  .object({
    /** How `spec.adopt` names it; no row has one. */
    id: z.unknown().optional(),
    address: z.string().optional(),
    type: z.string().optional(),
    public: z.boolean().optional(),
    gateway: z.string().nullish(),
    rdns: z.string().nullish(),
    vm_id: z.number().nullish(),
    range: z.string().optional(),
    route_target: z.string().nullish(),
    /** Who has a range, and who shares it; told of one item alone. */
    vms: z.array(z.number()).nullish(),
    prefix: z.number().optional(),
    region: z.string().optional(),
  })
  .refine(({ address, range }) => address !== undefined || range !== undefined, 'neither an address nor a range');
export type Address = z.output<typeof Address>;
/** Of `GET /vm/instances/{id}/ips/{address}`. */
export const Held = z.object({ address: z.string() });
/** Of `GET /vm/instances/{id}/ips`. */
export const Beside = z.object({ ipv4: z.object({ public: z.array(z.object({ address: z.string() })) }) });
export type Row = Address & { readonly held?: z.output<typeof Held> | null; readonly beside?: z.output<typeof Beside> | null };

export const idOf = ({ address, range, id }: Address): string => firstAddress(address ?? range ?? String(id ?? ''));
export const pathIn = (collection: string, remote: Address): string => addressPath(collection, idOf(remote));

export const isRange = ({ range }: Pick<Address, 'range'>): boolean => range !== undefined;
export const isPublicIPv4 = (remote: Address): boolean => remote.type === 'ipv4' && remote.public !== false;
/** As the answer to a create tells it: behind the range. */
export const prefixOf = ({ range, prefix }: Pick<Address, 'range' | 'prefix'>): number | undefined => {
  const [, told] = /\/(\d+)$/.exec(range ?? '') ?? [];
  return prefix ?? (told === undefined ? undefined : Number(told));
};
/** What it is, in the words of the spec where it is something that this kind makes. */
export function typeOf(remote: Address): string {
  if (isRange(remote)) return 'IPv6Range';
  if (remote.type !== 'ipv4') return 'the IPv6 address of an instance';
  return isPublicIPv4(remote) ? 'IPv4' : 'a private IPv4 address';
}

type Wish = Leaving & { readonly type?: string | undefined; readonly instanceRef?: RemoteId | undefined };

/** Whose it is, as text: the instance by its id or, of a range, by the address to which that is routed. */
export const placeOf = (remote: Address): string | null => {
  const place = isRange(remote) ? remote.route_target : remote.vm_id;
  return place === undefined || place === null ? null : String(place);
};
/** Where no object tells the address of the instance. */
export const onlyHolder = ({ vms }: Address): number | undefined => (vms?.length === 1 ? vms[0] : undefined);
/** In the words of the spec, which names instances; where they do not tell, the address that it is routed to. */
export function otherHolder(remote: Address, wanted: RemoteId | undefined): RemoteId | null {
  const holder = onlyHolder(remote);
  return holder === undefined || holder === wanted ? placeOf(remote) : holder;
}
/** The list of ranges tells of no instance, the item of all that have one or share it. */
export function leadsTo(remote: Address): readonly string[] | undefined {
  if (isRange(remote)) return remote.vms?.map(instancePath);
  return typeof remote.vm_id === 'number' ? [instancePath(remote.vm_id)] : [];
}
const instancePath = (id: number): string => path`/vm/instances/${id}`;

function wished(remote: Address, { instanceRef, borrowed }: Omit<Wish, 'name'>): unknown {
  if (!isRange(remote)) return instanceRef ?? borrowed?.['instance'];
  const named = instanceRef !== undefined && onlyHolder(remote) === instanceRef ? placeOf(remote) : undefined;
  return borrowed?.['slaac'] ?? named;
}

/**
 * The provider gives an address that came free to whoever is next. So one that is neither where this object wants it nor where it
 * saw it before may be somebody else's: nothing is done to it.
 */
export function isElsewhere(remote: Address, want: Wish): boolean {
  return anothers(want) !== undefined || isAway(remote, want);
}
/** Neither where this object wants it nor where it saw it before. */
export function isAway(remote: Address, want: Omit<Wish, 'name'>): boolean {
  const place = placeOf(remote);
  const known = [wished(remote, want), want.recalled?.['routedTo']].filter((one) => one !== undefined && one !== null).map(String);
  return place !== null && !known.includes(place);
}
/** Nobody knows yet which instance that is, nor where it was before. It is left alone meanwhile, like one that is elsewhere. */
const isUntold = (remote: Address, want: AnyWant & Wish): boolean =>
  anothers(want) === undefined &&
  isAway(remote, want) &&
  want.awaited?.includes('instanceRef') === true &&
  want.recalled?.['routedTo'] === undefined;
/** Its machine was given away, and it with that. */
const anothers = ({ taken = [] }: Pick<AnyWant, 'taken'>): string | undefined => taken[0]?.by;
/** What a change of it changes as well; who shares a range loses nothing of their own. */
export function changesAlso(remote: Address): readonly string[] | undefined {
  const only = onlyHolder(remote);
  if (!isRange(remote)) return leadsTo(remote);
  return only === undefined ? undefined : [instancePath(only)];
}
const elsewhereText = (remote: Address, want: Wish): string => {
  const by = anothers(want);
  return by === undefined
    ? movedText(remote)
    : (givenAway(remote, want) ?? `${idOf(remote)} is routed to what belongs to ${by}, and is left to that`);
};
/** Why this object has it no more; what went with a machine that was given away it has still. */
function givenAway(remote: Address, want: Wish): string | undefined {
  const by = anothers(want);
  return by === undefined || !isAway(remote, want)
    ? undefined
    : `${idOf(remote)} is routed to what belongs to ${by}: it came free and the provider gave it to somebody else, or a person moved it there`;
}
export const keptByAnother = (remote: Address, object: Leaving): string | undefined => givenAway(remote, object);
const movedText = (remote: Address): string =>
  `${idOf(remote)} is routed to ${isRange(remote) ? '' : 'instance '}${String(placeOf(remote))} by now, which this object neither names nor had it at: a person moved it, or it came free and the provider gave it to somebody else`;

export function health(remote: Address, want: AnyWant & Wish): Health {
  const gone = givenAway(remote, want);
  if (gone !== undefined)
    return goneToOthers(`${gone}. Nothing is done to it any more. Delete this object, which leaves it as it is, and make another one`);
  if (isUntold(remote, want))
    return outOfAction(`whether ${idOf(remote)} is where spec.instanceRef wants it is known once that instance has an id`);
  if (isElsewhere(remote, want))
    return goneToOthers(
      `${elsewhereText(remote, want)}. If it is to be there, name that instance in spec.instanceRef; if it is to be elsewhere, have it moved in the account; if it is not yours any more, delete this object with spec.lifecycle.onDelete: Retain`,
    );
  return remote.region === undefined ? progressing('the account is asked for its region', seconds(2)) : ready;
}

export function move(to: RemoteId | undefined, remote: Address, want: Wish): Call | undefined {
  if (to === undefined || remote.region === undefined || isElsewhere(remote, want)) return undefined;
  const address = isRange(remote) ? `${idOf(remote)}/${String(prefixOf(remote))}` : idOf(remote);
  return post(`/networking/${isRange(remote) ? 'ips' : 'ipv4'}/assign`, { region: remote.region, assignments: [{ address, vm_id: to }] });
}

export const isLast = ({ beside }: Row): boolean => beside?.ipv4.public.length === 1;

/** Right before it is released. */
export function waitsToGo(remote: Row, object: Leaving): DeleteWait | undefined {
  const id = idOf(remote);
  if (givenAway(remote, object) !== undefined) return undefined;
  if (!isRange(remote) && !isPublicIPv4(remote))
    return { personMust: `it is ${typeOf(remote)} and goes with that alone. Set spec.lifecycle.onDelete: Retain to let it stay` };
  if (isElsewhere(remote, object))
    return {
      personMust: `${elsewhereText(remote, object)}. Set spec.lifecycle.onDelete: Retain to leave it there, or release it in the account`,
    };
  if (remote.held === null) return `${id} has just left its instance; it is looked for again`;
  if (isLast(remote))
    return {
      personMust: `${id} is the last public IPv4 address of its instance, which would be cut off. Give the instance another one first, delete the instance, or set spec.lifecycle.onDelete: Retain`,
    };
  return undefined;
}

interface Shown {
  address: string;
  gateway: string | null;
  reverseDNS: string | null;
  state: string;
  prefix?: number;
  instanceId?: number | null;
  region?: string;
  routedTo?: string;
}
export function observe(remote: Address, want: Wish): Shown {
  const prefix = prefixOf(remote);
  // Where it is by now may be somebody else's, of whom nothing is told.
  const { gateway, rdns, vm_id: instance }: Partial<Address> = isElsewhere(remote, want) ? {} : remote;
  return {
    address: idOf(remote),
    gateway: gateway ?? null,
    reverseDNS: rdns ?? null,
    ...whereabouts(remote, want),
    ...(prefix !== undefined && { prefix }),
    ...(!isRange(remote) && { instanceId: instance ?? null }),
    ...(remote.region !== undefined && { region: remote.region }),
  };
}
function whereabouts(remote: Address, want: Wish): Pick<Shown, 'state' | 'routedTo'> {
  const elsewhere = isElsewhere(remote, want);
  const place = elsewhere ? want.recalled?.['routedTo'] : placeOf(remote);
  return { state: elsewhere ? 'Elsewhere' : 'Assigned', ...(typeof place === 'string' && { routedTo: place }) };
}
