import { minute, type Scene } from './scene.ts';
import { isSelfContained } from './sharing.ts';
import type { Situation } from './situation.ts';

const guest = 'team-b';
const user = 'admin';

/** Another team's account of the same user, by a token of its own. */
async function join(scene: Scene, token: string, scopes: string): Promise<void> {
  scene.world.emulator.control.setToken({ token, username: user, scopes });
  await scene.stage.secondNamespace(guest, token);
  await scene.pass(2 * minute);
}

/** Teams that share a connection, because their tokens stand for one user. */
export const teams: readonly Situation[] = [
  {
    id: 'a-narrow-token-beside-a-wide-one',
    fits: isSelfContained,
    play: async (scene) => {
      await join(scene, 'token-narrow', 'account:read_only events:read_only');
      await scene.apply({}, 'guest', guest);
      await scene.pass(5 * minute);
      scene.expectMade(0, "its own token may not make it, and nobody gets to act with another's");
    },
  },
  {
    id: 'a-revoked-token-beside-a-good-one',
    fits: isSelfContained,
    play: async (scene) => {
      await join(scene, 'token-second', '*');
      scene.world.emulator.control.revokeToken('token-second');
      // Each is used for a while, and a quarter of an hour is the longest.
      await scene.pass(35 * minute);
      const { status } = await scene.world.get('CloudAccount', 'default', guest);
      const said = status?.conditions?.find(({ type }) => type === 'Synced')?.reason;
      scene.check('O8 truthful status', said === 'Unauthorized', () => `the account of the revoked token says ${said}`);
      await scene.apply({}, 'guest', guest);
      await scene.pass(5 * minute);
      scene.expectMade(0, "its token is revoked, and nobody gets to act with another's");
      await scene.apply();
      await scene.pass(5 * minute);
      scene.expectMade(1, 'the other team has a good token');
    },
  },
];
