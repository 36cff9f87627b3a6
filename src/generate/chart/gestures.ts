import type { AnyKind } from '../../resource/index.ts';
import type { Manifest } from '../crd.ts';
import { group, plural, version } from '../names.ts';
import { refusing } from './policy.ts';

/** Verb of RBAC -> the annotations that may be written only by who has it. */
export const gestures: Readonly<Record<string, readonly string[]>> = {
  approve: ['approve', 'approve-change', 'approve-reason'],
  recreate: ['recreate'],
  release: ['release'],
  abandon: ['abandon'],
  confirm: ['confirm'],
  rotate: ['rotate'],
};
const verbs = Object.keys(gestures);

/** An old object there is only where one is changed. */
const part = (object: string, path: readonly string[]): string => {
  const steps = path.map((_, index) => `has(${[object, ...path.slice(0, index + 1)].join('.')})`);
  return `${object} != null && ${steps.join(' && ')} ? ${[object, ...path].join('.')} : {}`;
};
const lifecycleOf = (object: string): string => part(object, ['spec', 'lifecycle']);
const brings = (lifecycle: string): string =>
  `('onMissing' in variables.${lifecycle} ? variables.${lifecycle}.onMissing == 'Recreate' : variables.broughtByDefault)`;

const variablesOf = (kinds: readonly AnyKind[]) => [
  { name: 'now', expression: part('object', ['metadata', 'annotations']) },
  { name: 'was', expression: part('oldObject', ['metadata', 'annotations']) },
  { name: 'allows', expression: lifecycleOf('object') },
  { name: 'allowed', expression: lifecycleOf('oldObject') },
  // What needs no approval without being named.
  { name: 'approves', expression: "'approve' in variables.allows ? variables.allows.approve : ['InPlace']" },
  { name: 'approved', expression: "'approve' in variables.allowed ? variables.allowed.approve : ['InPlace']" },
  {
    name: 'raises',
    expression:
      "variables.approves.exists(effect, !(effect in variables.approved)) || ('replace' in variables.allows && variables.allows.replace == 'Allow' && !('replace' in variables.allowed && variables.allowed.replace == 'Allow'))",
  },
  // What is lost is made anew, empty.
  { name: 'broughtByDefault', expression: `object.kind in ${JSON.stringify(recreated(kinds))}` },
  { name: 'brings', expression: `${brings('allows')} && !${brings('allowed')}` },
];
const recreated = (kinds: readonly AnyKind[]): readonly string[] =>
  kinds.flatMap(({ kind, defaults }) =>
    defaults !== undefined && 'onMissing' in defaults && defaults.onMissing === 'Recreate' ? [kind] : [],
  );
/** What of the spec does the same for good. */
const inSpec: Readonly<Record<string, { readonly variable: string; readonly words: readonly string[] }>> = {
  approve: { variable: 'raises', words: ['more in spec.lifecycle.approve', 'spec.lifecycle.replace: Allow'] },
  recreate: { variable: 'brings', words: ['spec.lifecycle.onMissing: Recreate'] },
};

const isWritten = (name: string): string =>
  `('${group}/${name}' in variables.now && !('${group}/${name}' in variables.was && variables.was['${group}/${name}'] == variables.now['${group}/${name}']))`;
const asks = (verb: string): string =>
  [...(gestures[verb] ?? []).map(isWritten), ...(inSpec[verb] === undefined ? [] : [`variables.${inSpec[verb].variable}`])].join(' || ');
const may = (verb: string): string =>
  `authorizer.group('${group}').resource(request.resource.resource).namespace(request.namespace).name(request.name).check('${verb}').allowed()`;

/** Annotations by which a person lets something happen, and what of `lifecycle` does the same for good, ask for verbs of RBAC. */
export const gesturePolicySpec = (kinds: readonly AnyKind[]) => ({
  failurePolicy: 'Fail',
  matchConstraints: {
    resourceRules: [
      { apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources: kinds.map(({ kind }) => plural(kind)) },
    ],
  },
  variables: variablesOf(kinds),
  validations: verbs.map((verb) => ({
    expression: `!(${asks(verb)}) || ${may(verb)}`,
    messageExpression: `'user ' + request.userInfo.username + ' needs the verb ${verb} on ' + request.resource.resource + '.${group} in namespace ' + request.namespace + ' for ${wordsOf(verb)}: whoever administers the cluster binds a role with it, for example the ClusterRole that ends in -gestures'`,
    reason: 'Forbidden',
  })),
});

function wordsOf(verb: string): string {
  const names = (gestures[verb] ?? []).map((name) => `annotation ${group}/${name}`);
  return [...names, ...(inSpec[verb]?.words ?? [])].join(', ');
}

/** For those who may make all of these gestures; bound by the cluster's administrator, aggregated into no role. */
export const gestureRules = (kinds: readonly AnyKind[]) => [
  { apiGroups: [group], resources: kinds.map(({ kind }) => plural(kind)), verbs },
];

const name = 'cloud-operator-gestures';
export const gesturePolicy = (kinds: readonly AnyKind[]): readonly Manifest[] => [
  ...refusing(name, gesturePolicySpec(kinds)),
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules: gestureRules(kinds) },
];
