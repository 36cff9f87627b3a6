import * as z from 'zod';
import { type AnyKind, byMode, isKnownByBirth } from '../../resource/index.ts';
import { elementStays, objectRules, specRules, userTag } from './cel.ts';
import { commonSpec } from './common-spec.ts';
import {
  commonStatus,
  issuedStatus,
  namedStatus,
  operatedStatus,
  operationStatus,
  rotationStatus,
  spacedStatus,
  transferStatus,
} from './common-status.ts';
import { structural } from './structural.ts';
import type { Structural } from './structural-schema.ts';

/** The OpenAPI schema of one kind: its own fields first, then those of every kind. */
export function schemaOf(kind: AnyKind): Structural {
  const rules = objectRules(kind);
  return {
    description: kind.summary,
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'Version of the schema of this object.' },
      kind: { type: 'string', description: `Always ${kind.kind}.` },
      metadata: { type: 'object' },
      spec: specSchema(kind),
      status: statusSchema(kind),
    },
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  };
}

function specSchema(kind: AnyKind): Structural {
  const own = structural(kind.spec, `${kind.kind}.spec`, 'spec');
  const common = structural(commonSpec(kind), `${kind.kind}.spec`, 'spec');
  const rules = specRules(kind, own.required ?? []);
  return {
    description: 'What the cloud account should have.',
    type: 'object',
    ...(own.required && { required: own.required }),
    properties: merged(kind, marked(kind, own.properties ?? {}), common.properties ?? {}),
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  };
}

function statusSchema(kind: AnyKind): Structural {
  const own = structural(kind.status, `${kind.kind}.status`, 'status');
  const common = structural(statusOf(kind), `${kind.kind}.status`, 'status');
  const properties = merged(kind, common.properties ?? {}, own.properties ?? {});
  return {
    description: 'What the cloud account has, and what the operator does about it.',
    type: 'object',
    // -1 is no generation, so kstatus and Argo CD never take an object that nobody has looked at for current.
    default: { observedGeneration: -1 },
    properties: { ...properties, observedGeneration: { ...properties['observedGeneration'], default: -1 } },
  };
}

/** What the engine writes for a kind. */
const statusOf = (kind: AnyKind): z.ZodObject => commonStatus.extend(modeStatus(kind).shape);
/** The part of it that only kinds of its mode or with its words have, or those to which something is done once. */
export const modeStatus = (kind: AnyKind): z.ZodObject =>
  byMode<z.ZodObject>(kind, {
    collection: (one) =>
      operated(one)
        .extend((one.rotation === undefined ? none : rotationStatus).shape)
        .extend((isKnownByBirth(one) ? namedStatus : none).shape)
        .extend((one.transfer === undefined ? none : transferStatus).shape)
        .extend((one.changesApart === undefined ? none : spacedStatus).shape),
    singleton: operated,
    connection: () => none,
    issued: () => issuedStatus,
    operation: () => operationStatus,
  });
const none = z.object({});
const operated = ({ actions }: Pick<AnyKind, 'actions'>): z.ZodObject => (actions === undefined ? none : operatedStatus);

type Properties = Readonly<Record<string, Structural>>;

function merged(kind: AnyKind, first: Properties, second: Properties): Properties {
  const twice = Object.keys(second).filter((name) => name in first);
  if (twice.length > 0) throw new Error(`${kind.kind}: ${twice.join(', ')} is a field that every kind has; choose another name`);
  return { ...first, ...second };
}

/** Adds what the rules of the fields say: sets are sets in the schema too, and tags of ours are not for users. */
function marked(kind: AnyKind, properties: Properties): Properties {
  const entries = Object.entries(properties).map(([name, property]): [string, Structural] => {
    const guarded = name === kind.tags ? withoutOurTags(property) : grown(kind, name, nestedTags(property));
    const scalars = property.items?.type !== undefined && !['object', 'array'].includes(property.items.type);
    const set = kind.fields[name]?.as === 'set' && scalars && !property['x-kubernetes-list-type'];
    return [name, { ...guarded, ...(set && { 'x-kubernetes-list-type': 'set' as const }) }];
  });
  return Object.fromEntries(entries);
}

function grown(kind: AnyKind, name: string, property: Structural): Structural {
  const [key] = property['x-kubernetes-list-map-keys'] ?? [];
  const { items } = property;
  if (kind.fields[name]?.only !== 'grows' || items === undefined || key === undefined) return property;
  const rules = [...(items['x-kubernetes-validations'] ?? []), ...elementStays(key, Object.keys(items.properties ?? {}))];
  return { ...property, items: { ...items, 'x-kubernetes-validations': rules } };
}

const withoutOurTags = (property: Structural): Structural =>
  property.items ? { ...property, items: { ...property.items, 'x-kubernetes-validations': [userTag] } } : property;

/** Tags that stand deeper, such as an account's defaults, end up on cloud resources all the same. */
function nestedTags(property: Structural): Structural {
  const tags = property.properties?.['tags'];
  return tags ? { ...property, properties: { ...property.properties, tags: withoutOurTags(tags) } } : property;
}
