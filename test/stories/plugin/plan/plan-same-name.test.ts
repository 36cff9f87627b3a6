import { expect, it } from 'vitest';
import { AccountScene } from '../../../support/plugin/account-scene.ts';

const volume = (name: string, label: string): string =>
  `apiVersion: cloudhosting.dev/v1alpha1\nkind: CloudVolume\nmetadata: {name: ${name}, namespace: team-a}\nspec: {region: us-east, sizeGiB: 20, label: ${label}}\n`;

it.each(['', ' --against none --base before'])(
  'plan%s says of two that ask for one name which is made, and sends nothing in its words',
  async (how) => {
    const scene = await AccountScene.create();
    await scene.world.start();
    await scene.world.ready('CloudAccount', 'default');
    scene.files['m/all.yaml'] = [volume('one', 'same'), volume('two', 'same'), volume('three', 'other')].join('---\n');
    scene.files['before/none.yaml'] = '';
    const { exit, out } = await scene.typed(`plan -f m${how}`);
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(
        /^CloudVolume team-a\/two +wait .*\n {2}CloudVolume team-a\/one, which is made by this plan too, asks for the same name in the account\. Nothing is made for this one then, so that there are not two\. If both are wanted, give this one another name\n/m,
      ),
    ]);
    expect(out).not.toContain('has sent');
    expect(out).toMatch(/^CloudVolume team-a\/three +create/m);
  },
);
