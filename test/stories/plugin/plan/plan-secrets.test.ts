import { expect, it } from 'vitest';
import { AccountScene, minute } from '../../../support/plugin/account-scene.ts';

const kind = 'CloudManagedCredential';
const spec = { label: 'prod-login', passwordSecretRef: { name: 'login', key: 'password' }, lifecycle: { onDelete: 'Retain' } };
const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, namespace: 'team-a' }, spec: { ...spec, ...more } });

it.each([['old.yaml is pruned with it'], ['it is pruned before']])(
  'the plan of a rename names the call for a value that nothing shows, where %s',
  async (why) => {
    const scene = await AccountScene.create();
    const { world } = scene;
    await world.secret('login', { password: 'canary-Password-1' });
    await world.start();
    await world.apply(kind, 'old', spec);
    const { status } = await world.ready(kind, 'old');
    const isFirst = why === 'it is pruned before';
    if (isFirst) {
      await world.delete(kind, 'old');
      await world.gone(kind, 'old');
    }
    const files = { 'old.yaml': manifest('old'), 'new.yaml': manifest('new', { adopt: { id: Number(status?.['id']) } }) };
    const { out } = await scene.typed(`plan -f new.yaml${isFirst ? '' : ' --base old.yaml'}`, { files });
    expect(out).toContain('whether spec.passwordSecretRef has another value than was applied last the running operator alone knows');
    expect(out).toContain('then it sends POST /managed/credentials/1000/update. Else the value counts as applied');
    const since = world.emulator.control.requests().length;
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/login', {
      data: { password: Buffer.from('canary-Password-2').toString('base64') },
    });
    await world.apply(kind, 'new', { ...spec, adopt: { id: Number(status?.['id']) } });
    await world.clock.advance(minute);
    if (!isFirst) await world.delete(kind, 'old');
    await world.clock.advance(20 * minute);
    await world.ready(kind, 'new');
    expect(scene.changes(since)).toEqual([expect.stringContaining('POST /managed/credentials/1000/update')]);
    expect((await scene.typed('plan -n team-a')).out).not.toContain('counts as applied');
  },
);
