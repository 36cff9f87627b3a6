import { beforeEach, describe, expect, it } from 'vitest';
import { checks } from '../../src/plugin/doctor/checks.ts';
import { cloud, dataOf } from '../support/cloud-cli.ts';
import { type RunningOperator, World } from '../support/world.ts';

const minute = 60_000;
const longAgo = '2025-12-25T00:00:00Z';
const volume = { region: 'eu-central', sizeGiB: 20 };
const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev';
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account({ installation: 'prod' });
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
});

interface Finding {
  readonly id: string;
  readonly severity: string;
  readonly todo?: string;
}
const findings = async (): Promise<readonly Finding[]> =>
  (dataOf(await cloud(world, 'doctor -A -o json')) as { findings: Finding[] }).findings;
const status = (kind: string, name: string, seen: object): Promise<unknown> =>
  world.admin('PATCH', `${world.path(kind, 'team-a', name)}/status`, { status: seen });

/** Written by hand when nobody sets it back; the lease is not over yet. */
const shown = async (seen: object, [kind, name]: readonly [string, string] = ['CloudAccount', 'default']): Promise<void> => {
  operator.kill();
  await status(kind, name, seen);
};

/** One installation for each check that is broken in this way and in no other. */
const broken: Readonly<Record<string, { readonly severity: 'warn' | 'fail'; readonly make: () => Promise<unknown> }>> = {
  D02: {
    severity: 'warn',
    make: () => world.admin('PATCH', crd, { metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'of another release' } } }),
  },
  D03: {
    severity: 'fail',
    make: async () => {
      operator.kill();
      await world.clock.advance(10 * minute);
    },
  },
  D11: {
    severity: 'fail',
    make: () => shown({ conditions: [condition('Ready', 'False', 'Unauthorized'), condition('Synced', 'False', 'Unauthorized')] }),
  },
  D13: { severity: 'warn', make: () => shown({ missingScopes: ['volumes:read_write'] }) },
  D14: { severity: 'warn', make: () => shown({ eventsRefused: 'the token may not read events' }) },
  D15: { severity: 'warn', make: () => shown({ shareUsedUp: { sharePercent: 1, classes: ['read'], since: '2026-01-01T00:00:00Z' } }) },
  D16: {
    severity: 'warn',
    make: async () => {
      world = await World.create();
      await world.account({ installation: undefined });
      operator = await world.start();
      await world.ready('CloudAccount', 'default');
    },
  },
  D17: {
    severity: 'warn',
    make: async () => {
      await world.apply('CloudAccount', 'second', {
        endpoint: 'main',
        tokenSecretRef: { name: 'cloud-token', key: 'token' },
        installation: 'other',
      });
      await world.ready('CloudAccount', 'second');
    },
  },
  D18: { severity: 'fail', make: () => shown({ servedBy: null }) },
  D19: { severity: 'warn', make: () => world.patch('CloudAccount', 'default', { spec: { recover: true } }) },
  D20: {
    severity: 'fail',
    make: async () => {
      await world.apply('CloudVolume', 'odd', { ...volume, volumeRef: { name: 'odd' } });
      await world.reason('CloudVolume', 'odd', 'InvalidSpec');
    },
  },
  D21: {
    severity: 'warn',
    make: () =>
      shown(
        {
          conditions: [condition('Ready', 'True', 'Available'), condition('Synced', 'False', 'ApprovalRequired')],
          plan: { hash: 'ad73444b3f', effect: 'Reboot', changes: ['spec.region: the account has a, wanted b'] },
        },
        ['CloudVolume', 'data'],
      ),
  },
  D22: {
    severity: 'fail',
    make: () => shown({ held: [{ namespace: 'team-a', count: 12, release: 'a-b', message: '12 of 20 are being deleted' }] }),
  },
  D23: {
    severity: 'warn',
    make: () => shown({ paused: { until: '2027-01-01T00:00:00Z', at: longAgo } }, ['CloudVolume', 'data']),
  },
  D24: {
    severity: 'warn',
    make: async () => {
      await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Delete' } } });
      await world.clock.advance(minute);
    },
  },
};
const condition = (type: string, state: string, reason: string) => ({
  type,
  status: state,
  reason,
  message: 'refused',
  observedGeneration: 1,
  lastTransitionTime: longAgo,
});

describe('doctor', () => {
  it('finds nothing where nothing is wrong', async () => {
    const { exit, out } = await cloud(world, 'doctor -A --strict');
    expect({ exit, wrong: out.split('\n').filter((line) => !/^(ok |$)/.test(line)) }).toEqual({ exit: 0, wrong: [] });
  });
  it('has a broken installation for each check', () => expect(Object.keys(broken)).toEqual(checks.map(({ id }) => id)));
  it.each(Object.entries(broken))('%s is found, alone, with what to do', async (id, { severity, make }) => {
    await make();
    const red = (await findings()).filter((finding) => finding.severity !== 'ok');
    expect(red).toEqual([{ id, severity, seen: expect.any(String) as string, todo: expect.stringMatching(/.{10}/) as string }]);
    expect((await cloud(world, 'doctor -A')).exit).toBe(severity === 'fail' ? 1 : 0);
    expect((await cloud(world, 'doctor -A --strict')).exit).toBe(1);
  });
});
