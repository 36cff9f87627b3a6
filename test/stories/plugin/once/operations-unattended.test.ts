import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const limit = 60 * 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('web-root', { password: 'Correct-Horse-7' });
  await world.start();
});
const machine = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
};
const made = async (kind: string, name: string, spec: Record<string, unknown>): Promise<void> => {
  await world.apply(kind, name, spec);
  await world.ready(kind, name);
  await world.clock.advance(60_000);
};
/** The line that is told to whoever cannot be asked. */
async function told(line: string): Promise<{ readonly line: string; readonly err: string }> {
  const { exit, err } = await cloud(world, line, { limit });
  expect([exit, err]).toEqual([3, expect.stringContaining('not confirmed, nothing was written\n')]);
  return { line: /^To have it done without a terminal: kubectl cloud (.*)$/m.exec(err)?.[1] ?? '', err };
}

it('a reboot that nobody could have done before is done by --yes alone', async () => {
  await made('CloudInstance', 'web', machine);
  const { line, err } = await told('reboot cinst/web');
  expect([line, err.split('\n')]).toEqual(['reboot cinst/web --yes', expect.objectContaining({ length: 3 })]);
  expect((await cloud(world, line, { limit })).exit).toBe(0);
});

it('of a machine that was adopted lately the line says also what is asked once the operator has looked', async () => {
  await made('CloudInstance', 'web', { ...machine, lifecycle: { onDelete: 'Retain' } });
  const { id } = (await world.get('CloudInstance', 'web')).status as { readonly id: string };
  await world.delete('CloudInstance', 'web');
  await world.gone('CloudInstance', 'web');
  await made('CloudInstance', 'srv', { region: 'us-east', type: 'g6-standard-1', adopt: { id: Number(id) } });
  const { line, err } = await told('reboot cinst/srv');
  expect(line).toBe('reboot cinst/srv --yes --confirm srv');
  expect(err).toContain('CloudInstance team-a/srv was found or adopted less than a day ago, so that the operator asks once more');
  expect((await cloud(world, line, { limit })).exit).toBe(0);
});

it('what loses something is shown before it is asked about, and both is one line each, in this order', async () => {
  await made('CloudInstance', 'web', machine);
  const { line, err } = await told('rebuild cinst/web --name anew');
  expect(err.split('\n').slice(1, -1)).toEqual([
    'To be shown first what is lost by it, while it waits: kubectl cloud rebuild cinst/web --name anew --yes',
    'To have it done without a terminal: kubectl cloud rebuild cinst/web --name anew --yes --confirm web',
  ]);
  expect((await cloud(world, line, { limit })).exit).toBe(0);
});

it('so is what renews the access to a cluster', async () => {
  const nodePools = [{ name: 'base', type: 'g6-standard-1', count: 1 }];
  await world.apply('CloudKubernetesCluster', 'prod', { region: 'eu-central', k8sVersion: '1.24', nodePools });
  await world.clock.advance(20 * 60_000);
  await world.ready('CloudKubernetesCluster', 'prod');
  const { line } = await told('regenerate ck8s/prod --what kubeconfig');
  expect(line).toBe('regenerate ck8s/prod --what kubeconfig --yes --confirm prod');
  expect((await cloud(world, line, { limit })).exit).toBe(0);
});
