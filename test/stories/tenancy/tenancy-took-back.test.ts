import { describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

// `evil` may adopt nothing. What it writes into its own annotation `remote` must not make free what it has: another team would adopt that,
// and as soon as the annotation is gone again evil, whose object is older, would have it back.
const [platform, victim, evil] = ['platform', 'team-a', 'evil'];
const accountRef = { name: 'default', namespace: platform };
const minute = 60_000;
const remote = 'cloudhosting.dev/remote';
type Spec = Readonly<Record<string, unknown>>;
const things: Readonly<Record<string, Spec>> = {
  CloudVolume: { region: 'eu-central', sizeGiB: 20 },
  CloudDomain: { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' },
};

async function tampered(kind: string, spec: Spec) {
  const world = await World.create();
  for (const name of [platform, evil]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim], adopt: 'Any' }, { namespaces: [evil] }] }, platform);
  const operator = await world.start();
  await world.ready('CloudAccount', 'default', minute, platform);
  const write = (value: string | null) => world.patch(kind, 'gift', { metadata: { annotations: { [remote]: value } } }, evil);
  await world.apply(kind, 'gift', { accountRef, ...spec, lifecycle: { onDelete: 'Delete' } }, evil);
  const { status, metadata } = await world.ready(kind, 'gift', 10 * minute, evil);
  await write(String((metadata.annotations as unknown as Spec)[remote]).replace(/\/\d+#/, '/999999#'));
  await world.reason(kind, 'gift', 'IdentityConflict', minute, evil);
  return { world, operator, id: status?.['id'], write };
}

describe.each(Object.entries(things))('a %s whose annotation its tenant wrote', (kind, spec) => {
  it.each([
    ['', false],
    [', also where the operator is new', true],
  ])('is adopted by nobody meanwhile%s, and goes on as before', async (_, isNew) => {
    const { world, operator, id, write } = await tampered(kind, spec);
    if (isNew) {
      operator.kill();
      await world.start();
      await world.clock.advance(2 * minute);
    }
    await world.apply(kind, 'shop', { accountRef, ...spec, adopt: { id } }, victim);
    const { message } = await world.reason(kind, 'shop', 'AlreadyClaimed', 10 * minute, victim);
    expect(message).toContain('belongs to an object of another namespace already');
    await write(null);
    await world.ready(kind, 'gift', 10 * minute, evil);
    expect((await world.get(kind, 'shop', victim)).status?.['path']).toBeUndefined();
  });
  it('is free once its object is deleted, which lets go of it as it is', async () => {
    const { world, id, write } = await tampered(kind, spec);
    await world.apply(kind, 'shop', { accountRef, ...spec, adopt: { id } }, victim);
    await world.reason(kind, 'shop', 'AlreadyClaimed', 10 * minute, victim);
    await world.patch(kind, 'gift', { spec: { lifecycle: { onDelete: 'Retain' } } }, evil);
    await write(null);
    await world.delete(kind, 'gift', evil);
    await world.ready(kind, 'shop', 10 * minute, victim);
  });
});
