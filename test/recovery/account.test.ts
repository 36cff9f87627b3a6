import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import type { KubeObject } from '../support/world/custom-object.ts';
import { conditionOf, isReady, Stage } from '../support/process/stage.ts';
import { accountsFile, Tenant } from './account/tenants.ts';
import { Crossing } from '../chaos/tier1/crossing.ts';

const tenantsInAll = 11;
/** Tokens are read every minute. */
const tokenRead = 80_000;
const limit = 200_000;
let stage: Stage;
let crossing: Crossing;
let accounts: Awaited<ReturnType<typeof accountsFile>>;
let down = false;
const tenant = (n: number): Tenant => new Tenant(stage, n);

beforeAll(async () => {
  accounts = await accountsFile(tenantsInAll);
  const flags = ['--commit-bound=1s', '--list-lag=1s', '--endpoint=nobody=http://127.0.0.1:1/v4'];
  const between = async (url: string): Promise<string> => {
    crossing = await Crossing.open({ name: 'cloud', target: new URL(url).origin, guard: () => down });
    flags.push(`--endpoint=flaky=${crossing.origin}/v4`);
    return url;
  };
  stage = await Stage.open({ emulator: ['--speed', '50', '--accounts', accounts.file], flags, more: tenantsInAll - 1, between });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await stage.close();
  await crossing.close();
  await rm(accounts.folder, { recursive: true });
});

type What = readonly [kind: string, name: string, namespace: string];
const account = ({ namespace }: Tenant): What => ['CloudAccount', 'default', namespace];
const volume = ({ namespace }: Tenant, name = 'data'): What => ['CloudVolume', name, namespace];
const becomes = (what: What, reason: string, within = 30_000): Promise<KubeObject> =>
  stage.until(what, (object) => conditionOf(object, 'Synced')?.reason === reason, within);
const ready = (what: What, within = 30_000): Promise<KubeObject> => stage.until(what, isReady, within);

/** In trouble the API is asked now and then, never in a loop. */
async function staysCalm(who: Tenant): Promise<void> {
  const since = (await stage.emulator.requests()).at(-1)?.seq ?? 0;
  await sleep(systemClock, 10_000);
  expect((await who.calls(since)).length).toBeLessThan(12);
}
async function tells(who: Tenant, ...phrases: readonly string[]): Promise<void> {
  const said = await who.describe();
  for (const phrase of phrases) expect(said).toContain(phrase);
}

describe.concurrent('an account in trouble says what is wrong and what to do, and comes back by itself', () => {
  it(
    'with objects that cannot be made as they are written',
    async () => {
      const who = tenant(10);
      await who.account();
      await ready(account(who));
      await who.make('CloudVolume', 'lost', { instanceRef: { name: 'wbe' } });
      await who.make('CloudVolume', 'nowhere', { region: 'eu-centrl' });
      await becomes(volume(who, 'lost'), 'ReferenceNotReady');
      await becomes(volume(who, 'nowhere'), 'InvalidSpec');
      expect(await who.describe('cloudvolume', 'lost')).toContain('CloudInstance wbe is not found. Create it, or correct the name');
      expect(await who.describe('cloudvolume', 'nowhere')).toContain('spec.region: the provider lists no eu-centrl');
      expect(await who.volumes()).toEqual([]);
    },
    limit,
  );
  it(
    'with a wrong token',
    async () => {
      const who = tenant(0);
      await who.account('nonsense');
      await who.volume();
      await becomes(account(who), 'Unauthorized');
      await tells(who, 'Put a valid token into key', '(spec.tokenSecretRef); it is read every minute');
      expect((await becomes(volume(who), 'AccountNotReady')).status?.conditions?.[1]?.message).toContain('CloudAccount');
      await staysCalm(who);
      await who.putToken(who.token);
      await becomes(account(who), 'Available', tokenRead);
      await ready(volume(who));
    },
    limit,
  );

  it(
    'with a token that lacks a scope',
    async () => {
      const who = tenant(1);
      await who.account('token-1-reader');
      await who.volume();
      await becomes(volume(who), 'Forbidden');
      expect(await who.describe('cloudvolume', 'data')).toContain('volumes:read_write');
      await stage.until(
        account(who),
        (object) => JSON.stringify(object?.status?.['missingScopes'] ?? []).includes('volumes:read_write'),
        tokenRead,
      );
      await tells(who, 'Missing Scopes', 'volumes:read_write');
      await staysCalm(who);
      expect(await who.volumes()).toEqual([]);
      await who.putToken(who.token);
      await ready(volume(who), tokenRead);
      expect(await who.volumes()).toHaveLength(1);
    },
    limit,
  );

  it(
    "with another account's token under an account that is known",
    async () => {
      const [who, other] = [tenant(2), tenant(3)];
      await who.account();
      await who.volume();
      await ready(volume(who));
      await who.putToken(other.token);
      await becomes(account(who), 'AccountMismatch', tokenRead);
      await tells(who, 'Nothing is written', 'Put back a token of 00000002-');
      await who.volume('second');
      await staysCalm(other);
      expect((await other.calls()).filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(await who.volumes()).toHaveLength(1);
      await who.putToken(who.token);
      await becomes(account(who), 'Available', tokenRead);
      await ready(volume(who, 'second'));
    },
    limit,
  );

  it(
    'with an API that nobody answers at',
    async () => {
      const who = tenant(4);
      await who.account(who.token, { endpoint: 'nobody' });
      await who.volume();
      await becomes(account(who), 'Unreachable');
      await tells(who, 'ECONNREFUSED', 'It is tried again by itself');
      await becomes(volume(who), 'AccountNotReady');
    },
    limit,
  );

  it(
    'with an API that goes away and comes back',
    async () => {
      const who = tenant(9);
      await who.account(who.token, { endpoint: 'flaky' });
      await who.volume();
      await ready(volume(who));
      down = true;
      await who.volume('second');
      await becomes(volume(who, 'second'), 'Unreachable');
      expect(isReady(await stage.find(...volume(who)))).toBe(true);
      await becomes(account(who), 'Unreachable', 60_000);
      await tells(who, 'It is tried again by itself');
      down = false;
      await ready(volume(who, 'second'), 60_000);
      await becomes(account(who), 'Available', 60_000);
      expect(await who.volumes()).toHaveLength(2);
    },
    limit,
  );

  it(
    'with HTML in place of JSON, and nothing is made twice',
    async () => {
      const who = tenant(5);
      await who.account();
      await ready(account(who));
      const match = { username: who.username };
      const { id } = await stage.emulator.control<{ id: number }>('POST', '/faults', {
        match,
        effect: { kind: 'html', status: 502, commit: true },
      });
      await who.volume();
      await stage.until(volume(who), (object) => ['UnknownOutcome', 'Unreachable'].includes(conditionOf(object, 'Synced')?.reason ?? ''));
      expect(await who.describe('cloudvolume', 'data')).toMatch(/HTML|not JSON/);
      await staysCalm(who);
      await stage.emulator.control('DELETE', `/faults/${id}`);
      await ready(volume(who), 60_000);
      expect(await who.volumes()).toHaveLength(1);
    },
    limit,
  );

  it(
    'with a 408 after a create that was committed',
    async () => {
      const who = tenant(6);
      await who.account();
      await ready(account(who));
      const match = { username: who.username, method: 'POST', template: '/volumes' };
      await stage.emulator.control('POST', '/faults', {
        match,
        times: 1,
        effect: {
          kind: 'answer',
          status: 408,
          commit: true,
          headers: { 'retry-after': '' },
          body: '{"errors":[{"reason":"Please try again"}]}',
        },
      });
      await who.volume();
      const made = await ready(volume(who), 60_000);
      expect((await who.volumes()).map(({ key }) => String(key))).toEqual([made.status?.['id']]);
      expect((await who.calls()).filter(({ method }) => method === 'POST')).toHaveLength(1);
    },
    limit,
  );

  it(
    'without its Secret, which comes later',
    async () => {
      const who = tenant(7);
      await stage.apply(
        stage.manifest(
          'CloudAccount',
          'default',
          { endpoint: 'default', tokenSecretRef: { name: 'default', key: 'token' } },
          who.namespace,
        ),
      );
      await who.volume();
      await becomes(account(who), 'AccountNotReady');
      await tells(who, 'Secret default is not found in namespace', 'Create it with a personal access token under key token');
      await who.putToken(who.token);
      await ready(volume(who), tokenRead);
    },
    limit,
  );

  it(
    'whose Secret is gone while objects are still to be deleted, and whose token is rotated',
    async () => {
      const who = tenant(8);
      await who.account();
      await who.volume();
      await who.volume('second');
      await ready(volume(who));
      await ready(volume(who, 'second'));
      await stage.cluster.kubectl(['delete', 'secret', 'default', '-n', who.namespace]);
      await stage.cluster.kubectl(['delete', 'cloudvolume', 'data', '-n', who.namespace, '--timeout=60s']);
      expect((await who.volumes()).map(({ diedAt }) => diedAt === undefined).filter((alive) => alive)).toEqual([true]);
      await who.putToken('token-8-next');
      await sleep(systemClock, 62_000);
      await stage.emulator.control('DELETE', '/tokens/token-8');
      await who.volume('third');
      await ready(volume(who, 'third'), tokenRead);
      await becomes(account(who), 'Available');
      expect((await who.volumes()).filter(({ diedAt }) => diedAt === undefined)).toHaveLength(2);
    },
    limit,
  );
});
