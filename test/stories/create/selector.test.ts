import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudFirewall', 'edge', {
    inboundPolicy: 'DROP',
    outboundPolicy: 'ACCEPT',
    instanceSelector: { matchLabels: { tier: 'web' } },
  });
});

/** Labels come with the creation, as `kubectl apply` sends them. */
async function instance(name: string, labels: Record<string, string>, more: Record<string, unknown> = {}): Promise<void> {
  await world.admin('POST', world.path('CloudInstance'), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudInstance',
    metadata: { name, namespace: 'team-a', labels },
    spec: { region: 'eu-central', type: 'g6-nanode-1', ...more },
  });
}
const idOf = async (name: string): Promise<number> => Number((await world.get('CloudInstance', name)).status?.['id']);
/** Ids of the instances behind the firewall, as the account has it. */
async function behind(): Promise<readonly number[]> {
  const { status } = await world.get('CloudFirewall', 'edge');
  const answer = await world.emulator.handle({
    method: 'GET',
    path: `/v4/networking/firewalls/${String(status?.['id'])}/devices`,
    headers: { authorization: 'Bearer token-admin' },
  });
  const { data } = JSON.parse(String(answer.body)) as { data: readonly { entity: { id: number } }[] };
  return data.map(({ entity }) => entity.id).toSorted((a, b) => a - b);
}
const becomes = async (names: readonly string[]): Promise<void> => {
  const wanted = (await Promise.all(names.map(idOf))).toSorted((a, b) => a - b);
  await world.clock.runUntil(async () => JSON.stringify(await behind()) === JSON.stringify(wanted), 20_000);
};

describe('a selector of instances', () => {
  it('takes in what is made and relabelled, and takes out what no longer matches or is gone', async () => {
    await world.ready('CloudFirewall', 'edge');
    expect(await behind()).toEqual([]);
    await instance('web', { tier: 'web' });
    await instance('db', { tier: 'db' });
    for (const name of ['web', 'db']) await world.ready('CloudInstance', name);
    await becomes(['web']);
    await world.patch('CloudInstance', 'db', { metadata: { labels: { tier: 'web' } } });
    await becomes(['web', 'db']);
    await world.patch('CloudInstance', 'web', { metadata: { labels: { tier: null } } });
    await becomes(['db']);
    await world.delete('CloudInstance', 'db');
    await world.gone('CloudInstance', 'db');
    await world.ready('CloudFirewall', 'edge', 20_000);
    expect((await world.get('CloudFirewall', 'edge')).status?.['waitingFor'] ?? []).toEqual([]);
  });

  it('waits for what has no id yet, says so, and takes nothing away meanwhile', async () => {
    await instance('web', { tier: 'web' });
    await world.ready('CloudInstance', 'web');
    await becomes(['web']);
    await instance('slow', { tier: 'web' }, { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } });
    const { message } = await world.reason('CloudFirewall', 'edge', 'ReferenceNotReady');
    expect(message).toContain('spec.instanceSelector: CloudInstance slow has no id yet');
    await world.patch('CloudInstance', 'web', { metadata: { labels: { tier: null } } });
    await world.clock.advance(120_000);
    await becomes(['web']);
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.ready('CloudInstance', 'slow');
    await becomes(['slow']);
    await world.ready('CloudFirewall', 'edge');
  });

  it('sees neither other namespaces nor what is not labelled', async () => {
    await world.namespace('team-b');
    await world.account({}, 'team-b');
    await instance('plain', {});
    await world.admin('POST', world.path('CloudInstance', 'team-b'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudInstance',
      metadata: { name: 'web', namespace: 'team-b', labels: { tier: 'web' } },
      spec: { region: 'eu-central', type: 'g6-nanode-1' },
    });
    await world.ready('CloudInstance', 'web', 600_000, 'team-b');
    await world.ready('CloudFirewall', 'edge');
    expect(await behind()).toEqual([]);
  });
});
