import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { editOfField } from '../../../generate/reference/reference.ts';
import { asOperation } from '../../../resource/index.ts';
import { mergePatch, withKubectl } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import type { Advice } from '../advice.ts';

export const isOperation = ({ kind }: Resource): boolean => asOperation(registry.kind(kind)) !== undefined;

/** Nothing in it can be edited: what it asks for was judged as it was made. */
export const anotherOperation = (object: Resource): Advice | undefined =>
  isOperation(object)
    ? {
        todo: 'Its spec cannot be changed: delete it, and make another one that says it right.',
        commands: [withKubectl('delete', object)],
      }
    : undefined;

/** The fields that the operator names, as far as the kind has them. */
function namedIn({ kind }: Resource, message: string): readonly string[] {
  const own = registry.kind(kind).spec.shape;
  return [...new Set([...message.matchAll(/\bspec\.(\w+)/g)].map(([, field = '']) => field))].filter((field) => Object.hasOwn(own, field));
}

const shownFields = (fields: readonly string[]): string => fields.map((field) => `spec.${field}`).join(', ');
function editsOf(object: Resource, message: string) {
  const kind = registry.kind(object.kind);
  const fields = namedIn(object, message);
  const edits = fields.map((field) => editOfField(kind, field));
  return { fields, edits, isFree: fields.length === 0 || edits.includes('free') };
}

/** Admission refuses an edit of what is set once. Undefined: one of the fields that `message` names may be edited. */
export function setOnce(object: Resource, message: string): Advice | undefined {
  const { fields, edits, isFree } = editsOf(object, message);
  if (isFree) return undefined;
  const named = shownFields(fields);
  if (object.status?.['path'] === undefined)
    return {
      todo: `${named} cannot be changed in this object, and nothing was made for it: delete it, and apply the corrected one.`,
      commands: [withKubectl('delete', object)],
    };
  if (edits.some((one) => one !== 'replace'))
    return {
      todo: `${named} cannot be changed: make another object for what it says now, or list it in lifecycle.ignoreFields to leave the account as it is.`,
      commands: [withKubectl('edit', object)],
    };
  return {
    todo: `${named} cannot be changed in what is there. Allow that it is deleted and made anew, empty and with another id, which asks for an approval before; then correct it.`,
    commands: [mergePatch(object, { spec: { lifecycle: { replace: 'Allow' } } }), withKubectl('edit', object)],
  };
}

/** In the operator's words: nothing of it is left to be deleted, so that it is not made anew either. */
export const overAlready = (object: Resource, message: string): Advice | undefined =>
  message.endsWith(`or make another ${object.kind}: this one is over`)
    ? {
        todo: `Put the old value back, with the first line and in its manifest. For what it says now make another ${object.kind}: this one is over, and stays as it is in the account.`,
        commands: [withKubectl('edit', object)],
      }
    : undefined;

/** What only grows has grown in the account: the value that it has there is what the spec may say. Undefined: that is no plain value. */
export function setBack(object: Resource, message: string): Advice | undefined {
  const { fields } = registry.kind(object.kind);
  const [field = ''] = namedIn(object, message).filter((one) => fields[one]?.only === 'grows');
  const value = object.status?.[field];
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return {
    todo: `Set spec.${field} to the ${String(value)} that the account has, as the first line does: in its manifest, too, where it comes from Git, because what applies that would undo the line. Or set \`lifecycle.replace: Allow\` to have it deleted and made anew.`,
    commands: [mergePatch(object, { spec: { [field]: value } }), withKubectl('edit', object)],
  };
}

/** The account has another value, and no edit can say the same. */
export function driftOfSetOnce(object: Resource, message: string): Advice | undefined {
  const { fields, isFree } = editsOf(object, message);
  return isFree
    ? undefined
    : {
        todo: `${shownFields(fields)} cannot be changed here: set it back in the account, or list it in lifecycle.ignoreFields to leave it so.`,
        commands: [withKubectl('edit', object)],
      };
}
