import { byMode } from '../../../resource/index.ts';
import { isDeleting } from '../../../engine/model/annotations.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { shownName } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import { accountOf } from '../../objects/links.ts';
import { staleAdopt } from '../../objects/stale-adopt.ts';
import { type Check, fail, type Found, warn } from './found.ts';
import { applicationReplaces, argoLacks, byKubectl, fluxOf, hides, replaces, waitsBlindly, type Written } from '../patient/gitops.ts';
import type { Patient } from '../patient/patient.ts';
import { without } from './unlooked.ts';

/** Of who applies the objects, and of what would be left of them. */
export const ofGit: readonly Check[] = [
  {
    id: 'D25',
    about: 'Argo CD knows when objects are healthy, and its buttons',
    with: 'gitops',
    unlooked: without('get configmaps in namespace argocd'),
    look: ({ gitops }) => {
      if (gitops?.argo === undefined) return [];
      const { missing, other } = argoLacks(gitops);
      const files =
        'kubectl patch configmap argocd-cm --namespace argocd --patch-file deploy/argocd-health.yaml, and the same with deploy/argocd-actions.yaml';
      return [
        ...(missing.length === 0 ? [] : [warn(`ConfigMap argocd/argocd-cm lacks ${missing.join(', ')}`, files)]),
        ...(other.length === 0 ? [] : [warn(`ConfigMap argocd/argocd-cm has ${other.join(', ')} of another release, or edited`, files)]),
      ];
    },
  },
  {
    id: 'D26',
    about: 'Kustomizations that wait know for what',
    with: 'gitops',
    unlooked: without('get kustomizations'),
    look: ({ gitops }) =>
      (gitops === undefined ? [] : waitsBlindly(gitops)).map(([name, kinds]) =>
        warn(
          `Kustomization ${name} waits (spec.wait) and has no health check of ${kinds.join(', ')}: what waits for an approval holds it up until its timeout`,
          'Copy the entries of deploy/flux-health.yaml into its spec.healthCheckExprs.',
        ),
      ),
  },
  {
    id: 'D27',
    about: 'no gesture was written under a name that Flux takes away',
    with: 'gitops',
    look: ofWritten((object) => {
      const names = fluxOf(object) === undefined ? [] : byKubectl(object);
      return names.length === 0
        ? undefined
        : warn(
            `${shownName(object)}: ${names.join(', ')} was written by kubectl, and Flux removes it with its next reconcile`,
            'Use kubectl cloud, or kubectl annotate --field-manager=cloud-operator-cli.',
          );
    }),
  },
  {
    id: 'D28',
    about: 'objects are changed in place, and no edit of a spec is hidden',
    with: 'gitops',
    unlooked: without('list applications'),
    look: (patient) => [
      ...ofWritten((object) => {
        const why = replaces(object);
        return why === undefined
          ? undefined
          : fail(
              `${shownName(object)} is replaced by each sync (${why}): it is deleted, and its cloud resource with it`,
              'Take that away.',
            );
      })(patient),
      ...(patient.gitops?.applications ?? []).flatMap((application) => ofApplication(application)),
    ],
  },
  { id: 'D29', about: 'a rebuild from Git would find what objects have', with: 'recovery', look: lostByRebuild },
];

function ofApplication(application: Parameters<typeof hides>[0]): readonly Found[] {
  const name = `Application ${application.metadata.namespace}/${application.metadata.name}`;
  const hidden = hides(application);
  return [
    ...(applicationReplaces(application)
      ? [
          fail(
            `${name} has syncOptions Replace=true: its objects are deleted and made anew, and their cloud resources with them`,
            'Take that option away.',
          ),
        ]
      : []),
    ...(hidden.length === 0
      ? []
      : [
          warn(
            `${name} ignores differences in ${hidden.join(', ')}: edits of these in Git are never applied`,
            'Name fields of the status there, or none.',
          ),
        ]),
  ];
}

function ofWritten(wrong: (object: Written) => Found | undefined): Check['look'] {
  return ({ gitops }) => (gitops?.objects ?? []).flatMap((object) => wrong(object) ?? []);
}

/** Without status and annotations, as Git has them. */
function lostByRebuild({ objects, accounts }: Patient): readonly Found[] {
  const named = new Set(
    accounts.filter(({ spec }) => spec['installation'] !== undefined).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
  const bound = objects.filter((object) => object.status?.['path'] !== undefined && !isDeleting(object));
  return [...bound.flatMap((object) => adoptsAnother(object)), ...doubled(bound, named)];
}

function adoptsAnother(object: Resource): readonly Found[] {
  const stale = staleAdopt(object);
  if (stale === undefined) return [];
  const { named, has } = stale;
  return [
    warn(
      `${shownName(object)} has ${has}, and its spec.adopt names ${named}: a rebuild from Git would wait for that`,
      `spec.adopt.id: ${has} in its manifest.`,
    ),
  ];
}

function doubled(bound: readonly Resource[], named: ReadonlySet<string>): readonly Found[] {
  return bound
    .filter((object) => !isFoundAgain(object, named))
    .map((object, at, all) =>
      warn(
        `${shownName(object)} would be made a second time by a rebuild from Git: nothing in its spec tells which is its own (${at + 1} of ${all.length}; ${bound.length} objects)`,
        `spec.adopt.id: ${String(object.status?.['id'])}, or a backup with annotations and status.`,
      ),
    );
}

function isFoundAgain(object: Resource, named: ReadonlySet<string>): boolean {
  if (object.spec['adopt'] !== undefined) return true;
  const account = accountOf(object);
  const hasKey = account !== undefined && named.has(`${account.namespace}/${account.name}`);
  return byMode(registry.kind(object.kind), {
    collection: ({ label, key, takesOver }) =>
      takesOver === true ||
      (label !== undefined && (hasKey || object.spec[label.field] !== undefined)) ||
      (label === undefined && key.names),
    singleton: () => true,
    connection: () => true,
    issued: () => true,
    operation: () => true,
  });
}
