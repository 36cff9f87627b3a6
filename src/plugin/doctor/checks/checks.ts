import { belongsTo } from '../../../engine/guard/release-code.ts';
import { annotation, isDeleting, pauseAnnotation } from '../../../engine/model/annotations.ts';
import { keyOf } from '../../../engine/model/object-id.ts';
import { parsePause, type Paused } from '../../../engine/model/pause.ts';
import { shownPlan } from '../../../engine/model/policy.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { asCollection } from '../../../resource/index.ts';
import { namesOf, shownName, typed } from '../../cluster/naming.ts';
import { isOver, servedBy } from '../../cluster/serving.ts';
import { conditionOf, isStalled, pauseOf, stateOf } from '../../objects/facts.ts';
import { registry } from '../../command-line/kinds.ts';
import { holdsOf } from '../../gestures/held-set.ts';
import { heldLines, heldText } from '../../status/held.ts';
import { ofJobs } from './checks-of-jobs.ts';
import { around } from './checks-around.ts';
import { ofGit } from './checks-of-git.ts';
import { type Check, each, fail, type Found, warn, when } from './found.ts';
import type { Patient } from '../patient/patient.ts';
import { isUnconnected, leadsNowhere, leasesUnseen, noCrds, notConnected, notSeen, ofBefore } from './unlooked.ts';

const day = 86_400_000;
const olderThanADay = (time: string | undefined, now: number): boolean => time !== undefined && now - Date.parse(time) > day;

/** Of the objects and what serves them. */
const ofObjects: readonly Check[] = [
  {
    id: 'D02',
    about: 'CRDs are of this release and stay',
    unlooked: noCrds,
    look: ({ crds }) => [
      ...crds
        .filter(({ state }) => state === 'leaving')
        .map(({ name }) =>
          fail(
            `CRD ${name} is being removed, and its objects with it`,
            'Nothing in the account is deleted by that. Apply the CRDs again when it is gone.',
          ),
        ),
      ...crds
        .filter(({ state }) => state === 'differs')
        .map(({ name }) =>
          warn(
            `CRD ${name} is of another release than this plugin`,
            "Use the plugin of the operator's release, or apply the CRDs of this one: cloud-operator crds --apply",
          ),
        ),
    ],
  },
  {
    id: 'D03',
    about: 'operators renew their leases',
    unlooked: leasesUnseen,
    look: ({ leases, now }) =>
      [...leases]
        .filter(([, lease]) => isOver(lease, now))
        .map(([name]) =>
          fail(`nobody has renewed the lease ${name}: no operator of this release works`, 'See whether its pods run and what they log.'),
        ),
  },
  {
    id: 'D11',
    about: 'accounts are connected',
    unlooked: notSeen,
    look: each('accounts', (account) => {
      const { reason, message } = stateOf(account);
      return when(isUnconnected(account), () =>
        fail(`${shownName(account)} is not connected: ${reason}: ${message}`, `kubectl cloud why ${typed(account)}`),
      );
    }),
  },
  {
    id: 'D13',
    about: 'tokens may do what the kinds in use need',
    unlooked: notConnected,
    look: each('accounts', (account) => {
      const missing = (account.status?.['missingScopes'] ?? []) as readonly string[];
      return when(missing.length > 0, () =>
        warn(
          `the token of ${shownName(account)} lacks ${missing.join(', ')}`,
          'Give it these scopes, or expect Forbidden on objects that need them.',
        ),
      );
    }),
  },
  {
    id: 'D14',
    about: "the accounts' events can be read",
    unlooked: notConnected,
    look: each('accounts', (account) => {
      const refused = account.status?.['eventsRefused'];
      return when(typeof refused === 'string', () =>
        warn(
          `${shownName(account)}: ${String(refused)}`,
          'Give the token events:read_only: until then changes by others are found by sweeps only.',
        ),
      );
    }),
  },
  {
    id: 'D15',
    about: 'accounts have calls left of their share',
    unlooked: notConnected,
    look: each('accounts', (account) =>
      when(account.status?.['shareUsedUp'] !== undefined, () =>
        warn(
          `${shownName(account)} waits for its own share of the rate limits`,
          'Raise spec.budget.sharePercent, or see who uses the rest.',
        ),
      ),
    ),
  },
  {
    id: 'D16',
    about: 'accounts name their installation',
    look: each('accounts', (account) =>
      when(account.spec['installation'] === undefined, () =>
        warn(
          `${shownName(account)} has no spec.installation: a cluster that is rebuilt from Git would not know its resources again`,
          `Set spec.installation${account.status?.['installation'] === undefined ? '' : `: ${String(account.status['installation'])}`}, once, and keep it in Git.`,
        ),
      ),
    ),
  },
  { id: 'D17', about: 'no account has two installations', unlooked: leadsNowhere, look: twoInstallations },
  {
    id: 'D18',
    about: 'every account has an operator',
    look: each('accounts', (account) =>
      when(servedBy(account) === undefined, () =>
        fail(`nobody serves ${shownName(account)}`, 'See whether an operator runs whose namespaces and selector of accounts include it.'),
      ),
    ),
  },
  {
    id: 'D19',
    about: 'nothing is left from a rebuild or a look',
    look: ({ accounts }) =>
      accounts.flatMap((account) => [
        ...(account.spec['recover'] === true
          ? [
              warn(
                `${shownName(account)} has recover: true`,
                'Take it away when the rebuild is done: while it is there, things are taken over that are only equal.',
              ),
            ]
          : []),
        ...(account.spec['mode'] === 'ReadOnly'
          ? [warn(`${shownName(account)} has mode: ReadOnly`, 'Set Manage to have changes made.')]
          : []),
      ]),
  },
  {
    id: 'D20',
    about: 'no object is Stalled',
    unlooked: ofBefore,
    look: each('objects', (object) =>
      when(isStalled(object), () =>
        fail(`${shownName(object)} is Stalled: ${stateOf(object).reason}`, `kubectl cloud why ${typed(object)}`),
      ),
    ),
  },
  {
    id: 'D21',
    about: 'no approval is older than a day',
    unlooked: ofBefore,
    look: each('objects', (object, { now }) => {
      const plan = shownPlan(object);
      const waits = plan !== undefined && plan.approved === undefined && olderThanADay(stateOf(object).since, now);
      return when(waits, () =>
        warn(
          `${shownName(object)} has waited for approval since ${stateOf(object).since}`,
          `kubectl cloud approve ${typed(object)}, or put its spec back`,
        ),
      );
    }),
  },
  {
    id: 'D22',
    about: 'nothing is held',
    unlooked: ofBefore,
    look: ({ accounts, objects }) =>
      accounts.flatMap((account) =>
        holdsOf(account).map((hold) => {
          const ways = heldLines(
            account,
            hold,
            objects.filter((one) => belongsTo({ key: keyOf(account) }, one)),
          ).map(({ to, line, after }) => `To ${to}: ${line}${after === undefined ? '' : `, ${after}`}`);
          return fail(`${shownName(account)}: ${heldText(hold)}`, `${ways.join('. ')}.`);
        }),
      ),
  },
  {
    id: 'D23',
    about: 'nothing is paused longer than a day',
    look: (patient) => [...patient.accounts, ...patient.objects].flatMap((object) => longPaused(object, patient.now)),
  },
  {
    id: 'D24',
    about: 'what its kind keeps survives its object',
    look: ({ objects }) => goingWithObjects(objects.filter(isKeptByKind)),
  },
];

/** What may be seen of an installation. The numbers are names: they never change their meaning. */
export const checks: readonly Check[] = [...ofObjects, ...around, ...ofGit, ...ofJobs].toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** What is being deleted already is no matter of a policy: status and what is held tell of it. */
const isKeptByKind = (object: Resource): boolean =>
  asCollection(registry.kind(object.kind))?.defaults.onDelete === 'Retain' && object.status?.['policy'] === 'Delete' && !isDeleting(object);

/** Nothing is wrong with any of them yet: one line, so that they bury nothing. */
function goingWithObjects(objects: readonly Resource[]): readonly Found[] {
  if (objects.length === 0) return [];
  const [their, they, them] = objects.length === 1 ? ['its object', 'it holds', 'it'] : ['their objects', 'they hold', 'them'];
  const isCut = objects.length > fewNamed;
  const found = warn(
    `${namesOf(objects, fewNamed)} would be deleted in the account with ${their}, and what ${they} with ${them}`,
    `If that is not meant: lifecycle.onDelete: Retain, or lifecycle.protect: true.${isCut ? ' All of them: -o json' : ''}`,
  );
  return [{ ...found, ...(isCut && { objects: objects.map(shownName) }) }];
}
const fewNamed = 5;

function twoInstallations({ accounts }: Patient): readonly Found[] {
  const byAccount = Map.groupBy(
    accounts.filter(({ status }) => status?.['account'] !== undefined),
    ({ status }) => String(status?.['account']),
  );
  return [...byAccount].flatMap(([id, mine]) => {
    const installations = new Set(mine.map(({ spec }) => String(spec['installation'] ?? '(none)')));
    if (installations.size < 2) return [];
    return [
      warn(
        `${mine.map(shownName).join(', ')} lead to the same account ${id} and name different installations: ${[...installations].join(', ')}`,
        'Each takes the resources of the other for foreign. Give them one name, or one account each.',
      ),
    ];
  });
}

function longPaused(object: Resource, now: number): readonly Found[] {
  if (pauseOf(object, now) === undefined) return [];
  const noted = object.status?.['paused'] as Paused | undefined;
  const wish = parsePause(annotation(object, pauseAnnotation));
  const since = noted?.at ?? (wish.is === 'open' ? conditionOf(object, 'Synced')?.lastTransitionTime : undefined);
  if (!olderThanADay(since, now)) return [];
  return [warn(`${shownName(object)} has been paused since ${since}`, `kubectl cloud resume ${typed(object)}`)];
}
