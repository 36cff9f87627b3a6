import * as z from 'zod';
import {
  type AnyKind,
  type AnySingleton,
  asConnection,
  byMode,
  hasRemote,
  namespaceName,
  numberId,
  objectName,
  remoteId,
} from '../../resource/index.ts';
import { outputFields } from './outputs.ts';
import { rotationField } from './rotation.ts';

const accountRef = z
  .object({
    name: objectName().describe('Name of the CloudAccount.'),
    namespace: namespaceName()
      .optional()
      .describe('Its namespace, when it is not this one; its `access` list must admit this namespace. Absent: this namespace.'),
  })
  .optional()
  .describe('The CloudAccount that this object belongs to. Absent: the one called `default` in this namespace. Cannot be changed.');

const adopt = ({ ids = numberId }: AnyKind) =>
  z
    .object({
      id: remoteId(ids).optional().describe(`Id in the cloud account of the resource to take over; ${ids.says}.`),
      match: z
        .record(z.string(), z.string().max(300))
        .meta({ maxProperties: 8, minProperties: 1 })
        .optional()
        .describe(
          "Properties of the resource as the account's API shows them, for example `label: db-1`; exactly one resource must have all of them.",
        ),
      force: z
        .boolean()
        .optional()
        .describe('Take it over although it carries the tag of another installation of this operator. Absent: no.'),
    })
    .meta({
      'x-kubernetes-validations': [{ rule: 'has(self.id) != has(self.match)', message: 'set exactly one of adopt.id and adopt.match' }],
    })
    .optional()
    .describe(
      'Take over a resource that exists, instead of creating one. A one-time wish: it may be removed afterwards, and what was adopted is kept when the object is deleted, unless lifecycle.onDelete says Delete.',
    );

const always = {
  management: z
    .enum(['Manage', 'Observe'])
    .optional()
    .describe('Manage: create, correct and delete. Observe: only read and report. Absent: Manage.'),
  protect: z
    .boolean()
    .optional()
    .describe(
      'Refuse deletion of this object at admission, and so hold up deletion of its namespace, and of what it is in: a disk holds its machine, a record its zone. Absent: no.',
    ),
  drift: z
    .enum(['Correct', 'Report', 'Ignore'])
    .optional()
    .describe(
      'What to do with a difference made by somebody else: set it back, only report it in status.drift, or neither. Absent: Correct.',
    ),
};
const owned = {
  onDelete: z
    .enum(['Delete', 'Retain'])
    .optional()
    .describe(
      'What becomes of the cloud resource when this object is deleted. What is in another resource, as a disk in its machine, goes with that whatever this says; lifecycle.protect holds that up. Absent: the default of the account, else of the kind.',
    ),
  onMissing: z
    .enum(['Recreate', 'Stall'])
    .optional()
    .describe(
      'What to do when somebody else deleted the cloud resource. Stall asks for annotation cloudhosting.dev/recreate. Absent: the default of the kind.',
    ),
  replace: z
    .enum(['Deny', 'Allow'])
    .optional()
    .describe(
      'Allow: fields that cannot be changed may be edited, and the cloud resource is deleted and created anew; the change still asks for approval. Absent: Deny.',
    ),
};
const resettable = ({ deletion }: AnySingleton): object =>
  deletion === undefined
    ? {}
    : {
        onDelete: z
          .enum(['Delete', 'Retain'])
          .optional()
          .describe(
            'When this object is deleted: Delete puts back what it was before anybody asked, Retain leaves it as it is. Absent: the default of the account, else of the kind.',
          ),
      };
const approve = z
  .array(z.enum(['InPlace', 'Reboot', 'Rebuild', 'Replace']))
  .max(4)
  .meta({ 'x-kubernetes-list-type': 'set' })
  .optional()
  .describe(
    'Effects of a change that need no approval; a change with another effect waits for annotation cloudhosting.dev/approve. Absent: InPlace.',
  );

/** Fields whose difference from the cloud can be seen, and so ignored. */
export const comparable = (kind: AnyKind): readonly string[] =>
  Object.entries(kind.fields).flatMap(([field, rule]) => (rule.read && !rule.local ? [field] : []));

function lifecycle(kind: AnyKind): z.ZodType {
  const fields = comparable(kind);
  return z
    .object({
      ...always,
      ...(fields.length > 0 && {
        ignoreFields: z
          .array(z.enum(fields))
          .max(64)
          .meta({ 'x-kubernetes-list-type': 'set' })
          .optional()
          .describe('Fields of this spec that are set at creation and not compared afterwards. Absent: none.'),
      }),
      approve,
      ...byMode<object>(kind, {
        collection: () => owned,
        singleton: resettable,
        connection: () => ({}),
        issued: () => ({}),
        operation: () => ({}),
      }),
    })
    .optional()
    .describe('How far the operator may go with the cloud resource.');
}

function allowedRefs({ shareable }: AnyKind): object {
  if (shareable === undefined) return {};
  const warning = shareable === true ? '' : ` ${shareable}`;
  const namespaces = z
    .array(namespaceName())
    .max(256)
    .meta({ 'x-kubernetes-list-type': 'set' })
    .optional()
    .describe(
      `Names of the namespaces whose objects may refer to this one.${warning} To take one out deletes nothing: what its objects made in this one (a record of a domain) stays until an object here takes it over with \`adopt\`, or somebody deletes it. Absent: only this namespace.`,
    );
  return { allowedRefs: z.object({ namespaces }).optional().describe('Who else may refer to this object.') };
}

/** The part of a spec that every kind has, as far as it means something for this one. */
export const commonSpec = (kind: AnyKind): z.ZodObject =>
  z.object({
    ...byMode<Record<string, z.ZodType>>(kind, {
      collection: (one) => ({ accountRef, adopt: adopt(one) }),
      singleton: () => ({ accountRef }),
      connection: () => ({}),
      issued: () => ({ accountRef }),
      operation: () => ({ accountRef }),
    }),
    ...((hasRemote(kind) || asConnection(kind) !== undefined) && { lifecycle: lifecycle(kind) }),
    ...outputFields(kind),
    ...rotationField(kind),
    ...allowedRefs(kind),
  });
