import { expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
interface Secret {
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

it.each([
  ['CloudOAuthClient', { redirectURI: 'https://portal.example.org/callback' }, 'client-secret'],
  ['CloudObjectKey', { bucketAccess: [] }, 'AWS_SECRET_ACCESS_KEY'],
] as const)('two of kind %s that exchange their Secrets are told of a third name, and lose nothing on the way', async (kind, spec, key) => {
  const world = await World.create();
  await world.account();
  await world.start();
  const told = (name: string): string | undefined =>
    (world.server.objects('/secrets') as unknown as readonly Secret[]).find(({ metadata }) => metadata.name === name)?.data?.[key];
  for (const name of ['one', 'two']) {
    await world.apply(kind, name, { ...spec, label: name, secretName: `${name}-creds` });
    await world.ready(kind, name, 30 * minute);
  }
  const [ones, twos] = [told('one-creds'), told('two-creds')];
  await world.patch(kind, 'one', { spec: { secretName: 'two-creds' } });
  await world.patch(kind, 'two', { spec: { secretName: 'one-creds' } });
  await world.clock.advance(10 * minute);
  for (const [name, other] of [
    ['one', 'two'],
    ['two', 'one'],
  ] as const) {
    const { message } = await world.reason(kind, name, 'AlreadyExists');
    expect(message).toBe(
      `Secret ${other}-creds is still that of ${kind} ${other}, which names another by now and cannot write that yet. Two that exchange theirs need a third name in between: write that into spec.secretName of one of them first, and its new name once the other one is in step`,
    );
    const { out } = await cloud(world, `why ${kind.toLowerCase()}/${name}`);
    expect(out).toContain(`  kubectl -n team-a edit ${kind.toLowerCase()} ${name}\n`);
    expect(out).not.toContain('delete');
  }
  await world.patch(kind, 'one', { spec: { secretName: 'between' } });
  await world.ready(kind, 'two', 10 * minute);
  await world.patch(kind, 'one', { spec: { secretName: 'two-creds' } });
  await world.ready(kind, 'one', 10 * minute);
  await world.clock.advance(minute);
  expect([told('two-creds'), told('one-creds')]).toEqual([ones, twos]);
});

it('a Secret that nobody has written yet is not said to be written', async () => {
  const world = await World.create();
  await world.account();
  const spec = { bucketAccess: [], secretName: 'shared' };
  await world.apply('CloudObjectKey', 'older', { ...spec, label: 'one', lifecycle: { management: 'Observe' }, adopt: { id: 9 } });
  await world.clock.advance(2000);
  await world.apply('CloudObjectKey', 'younger', { ...spec, label: 'two' });
  await world.start();
  const { message } = await world.reason('CloudObjectKey', 'younger', 'AlreadyExists', 10 * minute);
  expect(message).toBe(
    'Secret shared is named by CloudObjectKey older, too, which is older, and one object has it. Choose another name in spec.secretName, or take it out of CloudObjectKey older',
  );
  const { out } = await cloud(world, 'why cokey/younger');
  expect(out).toContain('  kubectl -n team-a edit cloudobjectkey younger\n');
});
