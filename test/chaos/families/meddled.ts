import type { Millis } from '../../../src/lib/clock.ts';
import { caseAt, type Case, type Family } from '../run/case.ts';
import type { Stage } from '../stage/stage.ts';
import type { Step } from '../stage/step.ts';
import { hits } from '../stage/strike.ts';
import { type Carry, pass } from '../stage/wire.ts';
import type { Excuse } from '../oracles/oracle.ts';
import { type Scenario, tokenCanary } from '../scenario/scenario.ts';
import { excuseOf } from './killed.ts';

const outage = 5 * 60_000;

/** Something happens in the cluster or the account while this request is under way. */
const meanwhile =
  (stage: Stage, mark: string, happens: (stage: Stage) => Promise<unknown>): Carry =>
  async (passage, backend) => {
    stage.wire.mark(mark);
    await happens(stage);
    return pass(passage, backend);
  };

type Happenings = Readonly<Record<string, (stage: Stage) => Promise<unknown>>>;

/** What people and backups do to an object. */
const happenings: Happenings = {
  'status-wiped': async (stage) => {
    await stage.patchSubject([{ op: 'remove', path: '/status' }], 'status');
    stage.sampler.forget();
  },
  'annotations-dropped': (stage) => stage.patchSubject([{ op: 'remove', path: '/metadata/annotations' }]),
  paused: async (stage) => {
    await stage.patchSubject({ metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    stage.world.clock.after(outage, () => void stage.patchSubject({ metadata: { annotations: { 'cloudhosting.dev/pause': null } } }));
  },
};

/** F9: edits of people at every step; and at every step of a create, the object is deleted. */
export const concurrent: Family = ({ scenario, steps }) =>
  steps.flatMap((step): readonly Case[] => [
    ...Object.entries(happenings).map(([point, happens]) =>
      caseAt(
        'F9',
        { scenario, step, point },
        {
          interference: { patience: 90 * 60_000, before: (stage) => stage.wire.arm(hits(step), meanwhile(stage, point, happens)) },
          excuse: { ...excuseOf(scenario), corrected: true, ...(looksRestored(scenario, point) && { otherEnd: true }) },
        },
      ),
    ),
    ...(scenario.operation.is === 'create' && scenario.kind.mode === 'collection' ? [deletedAt(scenario, step)] : []),
  ]);

/** An object without a status is one from a backup, and what it asks for was done before that was made. */
const looksRestored = ({ operation }: Scenario, point: string): boolean =>
  point === 'status-wiped' && operation.is === 'update' && operation.rotates === true;

const deletedAt = (scenario: Parameters<Family>[0]['scenario'], step: Step): Case =>
  caseAt(
    'F9',
    { scenario, step, point: 'deleted' },
    {
      interference: {
        before: (stage) => {
          stage.endsGone = true;
          stage.wire.arm(
            hits(step),
            meanwhile(stage, 'the subject is deleted', () => stage.deleteSubject()),
          );
        },
      },
      excuse: { otherEnd: true },
    },
  );

/** What happens to a tenant's token, for so long. */
export const accountTroubles = (outage: Millis): Happenings => ({
  revoked: (stage) => {
    stage.world.emulator.control.revokeToken(tokenCanary);
    stage.world.clock.after(outage, () => restoreToken(stage));
    return Promise.resolve();
  },
  'secret-deleted': async (stage) => {
    await stage.world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/cloud-token');
    stage.world.clock.after(outage, () => void stage.world.secret('cloud-token', { token: tokenCanary }));
  },
  'of-another-account': async (stage) => {
    await setTokenSecret(stage, 'token-other');
    stage.world.clock.after(outage, () => void setTokenSecret(stage, tokenCanary));
  },
});

/** An account is pinned when it is first read: what leads elsewhere by then is what it is, and the right token comes too late. */
const anotherAccount: Excuse = { otherEnd: true, stalls: ['AccountMismatch'] };
const pinsWhatItMeets = ({ kind, operation }: Scenario, point: string): boolean =>
  kind.mode === 'connection' && operation.is === 'create' && point === 'of-another-account';

/** F10: at every call that changes something, the credential is taken away or leads elsewhere for five minutes. */
export const credentials: Family = ({ scenario, steps }) =>
  steps
    .filter(({ server, changes }) => server === 'kube' || changes)
    .flatMap((step) =>
      Object.entries(accountTroubles(outage)).map(([point, happens]) =>
        caseAt(
          'F10',
          { scenario, step, point },
          {
            interference: { patience: 90 * 60_000, before: (stage) => stage.wire.arm(hits(step), meanwhile(stage, point, happens)) },
            excuse: { ...excuseOf(scenario), corrected: true, ...(pinsWhatItMeets(scenario, point) && anotherAccount) },
          },
        ),
      ),
    );

function restoreToken({ scenario, world, wire }: Stage): void {
  const username = scenario.corner.restricted === true ? 'limited' : 'admin';
  world.emulator.control.setToken({ token: tokenCanary, username, scopes: '*' });
  wire.mark('the token is good again');
}

async function setTokenSecret({ world }: Stage, token: string): Promise<void> {
  const data = { token: Buffer.from(token).toString('base64') };
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data });
}
