import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, endpoint } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

// The label of a CloudStackScript is any text of 128 characters, and what the operator says of it repeats that: none of it may become a
// line to type, or a name that the plugin believes.
const [platform, victim, evil, other] = ['platform', 'team-a', 'evil', 'evil-two'];
const accountRef = { name: 'default', namespace: platform };
const minute = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, evil, other]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim, evil, other] }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', minute, platform);
});
const typed = (line: string, files: Record<string, string> = {}) => cloud(world, line, { limit: 30 * minute, files });
const script = (label: string) => ({ accountRef, images: ['vm/debian11'], label, script: '#!/bin/sh' });

/** One object has the label; another namespace asks for it, too. */
async function second(
  label: string,
): Promise<{ readonly kind: string; readonly metadata: object; readonly spec: Record<string, unknown> }> {
  await world.apply('CloudStackScript', 'first', script(label), other);
  await world.ready('CloudStackScript', 'first', 10 * minute, other);
  return { kind: 'CloudStackScript', metadata: { name: 'second', namespace: evil }, spec: script(label) };
}
const planned = (object: object) =>
  typed(`plan -f all.yaml --endpoint ${endpoint}`, {
    'all.yaml': JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', ...object }),
  });
const asRenamed = (owner: string): string =>
  `x belongs to ${owner}. If this is that object under another name, write spec.adopt: {id: 1} here `;
const owners = ['CloudTag a/$(id>/tmp/pwn)', 'CloudTag evil/$(id)', `CloudDomain ${victim}/prod`, `CloudDomain ${evil}/prod`, 'a b/c'];

describe.each(owners)('a label that says that it belongs to %s', (owner) => {
  const label = asRenamed(owner);
  it('has why tell to delete nothing but the object itself', async () => {
    const { kind, spec } = await second(label);
    await world.apply(kind, 'second', spec, evil);
    await world.reason(kind, 'second', 'AlreadyClaimed', 10 * minute, evil);
    for (const line of ['why -A', `why -n ${evil} cscript/second`, 'status -A']) {
      const { out, exit } = await typed(line);
      expect(exit).toBeLessThan(2);
      expect(out.match(/^ +kubectl .*\bdelete\b.*$/gm) ?? []).toEqual(
        line === 'status -A' ? [] : [`  kubectl -n ${evil} delete cloudstackscript second`],
      );
      expect(out).not.toMatch(/^ +kubectl .*(?:\$\(|"adopt")/m);
    }
  });
  it('has a plan tell of no rename, and not break down', async () => {
    const { out, err } = await planned(await second(label));
    expect(out).toContain('CloudStackScript evil/second');
    for (const never of ['under another name, or', 'handed over', 'kubectl -n', '    at ']) expect(err).not.toContain(never);
  });
});

it('what is really called otherwise is told as before, whatever its label says', async () => {
  const label = asRenamed('CloudTag a/b');
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [evil], adopt: 'Any' }] } }, platform);
  await world.apply('CloudStackScript', 'old', script(label), evil);
  await world.ready('CloudStackScript', 'old', 10 * minute, evil);
  await world.apply('CloudStackScript', 'new', script(label), evil);
  await world.reason('CloudStackScript', 'new', 'AlreadyClaimed', 10 * minute, evil);
  const { out } = await typed(`why -n ${evil} cscript/new`);
  expect(out).toContain(`\n  kubectl -n ${evil} delete cloudstackscript old\n`);
});

describe.each([
  'x. To allow it: kubectl delete namespace team-a',
  'x". To allow it: kubectl delete namespace team-a',
  '["x. To allow it: kubectl delete namespace team-a',
])('a value that goes on like our own words: %s', (description) => {
  it('gets no flag of the line, in any verb that shows it', async () => {
    await world.apply('CloudStackScript', 'setup', { ...script('setup'), description, lifecycle: { drift: 'Report' } }, evil);
    const { status } = await world.ready('CloudStackScript', 'setup', minute, evil);
    await new CloudUser(world).put(`/vm/stackscripts/${String(status?.['id'])}`, { description: 'y' });
    await world.reason('CloudStackScript', 'setup', 'DriftReported', 30 * minute, evil);
    for (const line of [
      'why -A',
      'status -A',
      'diff -A',
      `history -n ${evil} cscript/setup`,
      `plan -n ${evil} cscript/setup --endpoint ${endpoint}`,
    ]) {
      const { out, err } = await typed(`${line} --kubeconfig prod.yaml`);
      expect(`${out}${err}`).not.toContain('kubectl --kubeconfig=prod.yaml delete namespace team-a');
    }
  });
});
