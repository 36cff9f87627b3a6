import { hasTags } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const teamTag = 'of-the-team';

/** All of the object's status, as text: an outage of the account is not its concern. */
const statusOf = async (scene: Scene): Promise<string> => JSON.stringify((await scene.find())?.status ?? null);

/** What an account gives its objects, and what it keeps from them. */
export const defaulting: readonly Situation[] = [
  {
    id: 'the-account-has-defaults',
    fits: (reference) => anyCollection(reference) && hasTags(reference),
    play: async (scene) => {
      await scene.patchAccount({ spec: { defaults: { tags: [teamTag], onDelete: 'Retain' } } });
      await scene.pass(minute);
      await scene.apply({ tags: undefined, lifecycle: { onDelete: undefined } });
      await scene.ready();
      const [made] = scene.made();
      const { tags = [] } = (made?.row ?? {}) as { tags?: readonly string[] };
      scene.check('O4 converges and stays', tags.includes(teamTag), () => `spec.defaults.tags was left out: ${tags.join()}`);
      await scene.delete();
      await scene.gone();
      scene.expectAlive(made, "the account's default is Retain");
    },
  },
  {
    id: 'starts-during-an-outage',
    fits: anyCollection,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      await scene.pass(5 * minute);
      const before = await statusOf(scene);
      const fault = scene.world.emulator.control.addFault({ match: {}, effect: { kind: 'answer', status: 503 } });
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await scene.pass(10 * minute);
      const after = await statusOf(scene);
      scene.check('O8 truthful status', after === before, () => `an object with nothing to do speaks of an outage: ${after}`);
      const account = await scene.world.get('CloudAccount', 'default');
      const said = account.status?.conditions?.find(({ type }) => type === 'Synced')?.reason;
      scene.check('O8 truthful status', said === 'Unreachable', () => `the account says ${said}`);
      scene.world.emulator.control.removeFault(fault);
      await scene.pass(15 * minute);
      await scene.ready();
    },
  },
];
