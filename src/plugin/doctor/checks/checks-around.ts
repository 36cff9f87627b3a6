import { shownTime } from '../../../lib/utc-time.ts';
import { shownName } from '../../cluster/naming.ts';
import { isOver } from '../../cluster/serving.ts';
import { type Check, each, fail, type Found, info, warn, when } from './found.ts';
import { shutPorts } from '../patient/operators.ts';
import type { Patient } from '../patient/patient.ts';
import { noClock, notReached, notShut, tokensUntried, without } from './unlooked.ts';
import type { Way } from '../patient/ways.ts';

const day = 86_400_000;
const mostApart = 5000;

/** Of each way to an endpoint that is stuck there. */
const stuck =
  (at: NonNullable<Way['fault']>['at'], todo: (way: Way) => string): Check['look'] =>
  ({ ways }) =>
    ways.flatMap((way) => (way.fault?.at === at ? [fail(`endpoint ${way.endpoint} (${way.url}): ${way.fault.why}`, todo(way))] : []));

/** A lease that is renewed shows that an operator works, wherever it runs. */
const withoutPods = (works: boolean): Found =>
  works
    ? info(
        'no Pod of an operator is to be seen, and yet the lease is renewed: the operator runs elsewhere, so neither its metrics nor what NetworkPolicies shut is looked at',
        'Look at its metrics where it runs: /metrics at its --metrics-address.',
      )
    : warn(
        'no Pod of an operator is to be seen, so neither its metrics nor what NetworkPolicies shut is looked at',
        'In this cluster its Pods have the label app.kubernetes.io/name: cloud-operator, which the chart gives them. One that runs elsewhere is to be looked at there.',
      );

/** Of the caller, the operator and the way to the accounts. */
export const around: readonly Check[] = [
  {
    id: 'D01',
    about: 'you may read all that is looked at',
    look: ({ forbidden }) =>
      forbidden.map((right) =>
        warn(
          `you may not ${right}, so what that would show is not looked at`,
          'Have it looked at by somebody who may, or be given that right.',
        ),
      ),
  },
  {
    id: 'D04',
    about: 'operators tell their metrics',
    unlooked: without('list pods', 'get pods/proxy'),
    look: ({ pods, forbidden, leases, now }) => [
      ...(pods.length > 0 || forbidden.some((right) => right.startsWith('list pods'))
        ? []
        : [withoutPods(leases.size > 0 && [...leases.values()].every((lease) => !isOver(lease, now)))]),
      ...pods.flatMap(({ namespace, name, metrics }) => {
        if (metrics === undefined || (typeof metrics === 'string' && metrics.includes('cloud_operator_'))) return [];
        const why = typeof metrics === 'string' ? 'what answers at port 8080 is something else' : metrics.fault;
        return [
          warn(
            `the metrics of Pod ${namespace}/${name} cannot be read through the API server: ${why}`,
            'See whether a NetworkPolicy shuts port 8080; without metrics no alert is raised.',
          ),
        ];
      }),
    ],
  },
  {
    id: 'D05',
    about: 'no NetworkPolicy shuts what operators must reach',
    unlooked: notShut,
    look: ({ pods, policies, needed }) => {
      const shut = Map.groupBy(
        pods.map((pod) => ({ pod, what: shutPorts(pod, policies, needed).join(', ') })).filter(({ what }) => what !== ''),
        ({ pod, what }) => `by the NetworkPolicies of namespace ${pod.namespace} these Pods cannot reach ${what}`,
      );
      return [...shut].map(([seen, all]) =>
        fail(
          `${seen}: ${all.map(({ pod }) => pod.name).join(', ')}`,
          'Allow it: values networkPolicy.egressPorts, dnsPorts and extraEgress of the chart.',
        ),
      );
    },
  },
  {
    id: 'D06',
    about: 'the names of endpoints are known',
    with: 'account',
    unlooked: notReached('name'),
    look: stuck('name', () => 'Correct the endpoint, or the DNS of this machine; the operator uses that of its cluster.'),
  },
  {
    id: 'D07',
    about: 'the certificates of endpoints are trusted, and for longer than two weeks',
    with: 'account',
    unlooked: notReached('certificate'),
    look: (patient) => [
      ...stuck(
        'certificate',
        ({ endpoint }) => `Name its authority: --endpoint ${endpoint}=URL,ca=FILE, and endpoints[].ca of the chart.`,
      )(patient),
      ...patient.ways.flatMap(({ endpoint, certificateUntil: until }) =>
        until !== undefined && until - patient.now < 14 * day
          ? [
              warn(
                `the certificate of endpoint ${endpoint} ends at ${shownTime(until)}`,
                'Tell the provider: from then on nothing is read and nothing changed.',
              ),
            ]
          : [],
      ),
    ],
  },
  {
    id: 'D08',
    about: 'proxies let through',
    with: 'account',
    unlooked: notReached('proxy'),
    look: stuck(
      'proxy',
      ({ proxy }) =>
        `See the proxy${proxy === undefined ? '' : ` ${proxy}`}, or except the endpoint from it in NO_PROXY; the operator has its own in extraEnv of the chart.`,
    ),
  },
  {
    id: 'D09',
    about: "endpoints answer as this API does, in both versions and by the provider's own word",
    with: 'account',
    unlooked: notReached('answer'),
    look: stuck('answer', () => 'Correct url and word of the endpoint, or see whether the provider has an outage.'),
  },
  { id: 'D10', about: 'clocks agree within 5 s', unlooked: noClock, look: clocks },
  {
    id: 'D12',
    about: 'tokens lead to their accounts, as users who may do all',
    unlooked: tokensUntried,
    asOf: asOperatorsRead,
    look: (patient) => [
      ...patient.tokens.flatMap(({ account, fault, whose }) =>
        fault === undefined ? [] : [fail(`${account}: ${fault}`, validToken[whose])],
      ),
      ...each('accounts', (account) =>
        when(account.status?.['restricted'] === true, () =>
          warn(
            `the user of ${shownName(account)} is restricted: what nobody granted to it is not there for the operator`,
            'Give the token of an unrestricted user, or expect RemoteNotVisible and Forbidden.',
          ),
        ),
      )(patient),
    ],
  },
];

/** Tokens are read every minute, and a token that is refused is known at the next call. */
function asOperatorsRead({ accounts, tokens }: Patient): string {
  const every = Math.max(60, ...accounts.map(({ spec }) => Number(spec['pollIntervalSeconds'] ?? 0)));
  return accounts.length === 0 || tokens.length > 0 ? '' : `, as operators read that last, up to ${every} s ago (now: --account)`;
}

const validToken = {
  account: 'Put a valid token of the right account into the Secret that spec.tokenSecretRef names.',
  caller: 'Put a valid token of that account into CLOUD_TOKEN, or into the file of --token-file; or leave it out.',
};

/** By the leases of operators, and of the endpoints. */
function clocks({ leases, ways, now }: Patient): readonly Found[] {
  const todo = 'Set the clocks by NTP: approvals, pauses and leases have times.';
  return [
    ...[...leases].flatMap(([name, { spec }]) => {
      const ahead = Date.parse(spec?.renewTime ?? '') - now;
      return ahead > mostApart
        ? [warn(`the lease ${name} was renewed ${Math.round(ahead / 1000)} s from now, by the clock of this machine`, todo)]
        : [];
    }),
    ...ways.flatMap(({ endpoint, ahead = 0 }) =>
      Math.abs(ahead) > mostApart
        ? [
            warn(
              `the clock of endpoint ${endpoint} is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine`,
              todo,
            ),
          ]
        : [],
    ),
  ];
}
