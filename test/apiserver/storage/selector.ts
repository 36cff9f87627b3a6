import { badRequest } from '../requests/api-error.ts';
import type { KubeObject } from './kube-object.ts';
import { isObject } from './json.ts';

export type Predicate = (object: KubeObject) => boolean;

type Labels = Readonly<Record<string, string>>;

const SET = /^(!?)\s*([\w./-]+)\s*$|^([\w./-]+)\s+(in|notin)\s*\(([^)]*)\)\s*$|^([\w./-]+)\s*(==|!=|=)\s*([\w./-]*)\s*$/;

function requirement(source: string): (labels: Labels) => boolean {
  const match = SET.exec(source.trim());
  if (!match) throw badRequest(`unable to parse requirement: ${source}`);
  const [, not, bare, setKey, setOperator, values, key, operator, value] = match;
  if (bare !== undefined) return (labels) => bare in labels !== (not === '!');
  if (setKey !== undefined) {
    const wanted = new Set((values ?? '').split(',').map((one) => one.trim()));
    return (labels) => wanted.has(labels[setKey] ?? '\0') === (setOperator === 'in');
  }
  return (labels) => (labels[key ?? ''] === value) === (operator !== '!=');
}

/** Label selector in the query form: `a=b,c!=d,e in (f,g),!h`. */
export function labelSelector(source: string | null): Predicate {
  if (!source) return () => true;
  const requirements = source.split(/,(?![^(]*\))/).map(requirement);
  return (object) => requirements.every((holds) => holds(object.metadata.labels ?? {}));
}

/** The fields that can be selected on: metadata everywhere, others as the resource allows. */
export function fieldSelector(source: string | null, selectable: readonly string[]): Predicate {
  if (!source) return () => true;
  const terms = source.split(',').map((term) => fieldTerm(term, selectable));
  return (object) => terms.every((holds) => holds(object));
}

/** The one name that a field selector admits, which RBAC's `resourceNames` looks at. */
export function selectedName(source: string | null): string {
  const match = /(?:^|,)metadata\.name==?([^,]+)/.exec(source ?? '');
  return match?.[1] ?? '';
}

function fieldTerm(term: string, selectable: readonly string[]): Predicate {
  const match = /^([\w.]+)(==|!=|=)(.*)$/.exec(term);
  if (!match) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = match;
  if (!selectable.includes(field)) throw badRequest(`field label not supported: ${field}`);
  return (object) => (fieldValue(object, field) === value) === (operator !== '!=');
}

function fieldValue(object: KubeObject, field: string): string {
  let at: unknown = object;
  for (const key of field.split('.')) at = isObject(at) ? at[key] : undefined;
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? String(at) : '';
}
