import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../../src/resource/index.ts';
import { editsOf } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const [managed, theirs] = ['inbound', 'outbound'];

/** An edit of one direction's rules, whose call sends along the other, too. */
const ruleEdit = ({ scenario, ...rest }: Scene['reference']): ReturnType<typeof editsOf>[number] | undefined =>
  scenario.subject.spec[theirs] === undefined
    ? editsOf({ scenario, ...rest }, 'PUT {item}/').find(
        ({ field }) => field === managed && 'readFirst' in (scenario.kind.fields[field] ?? {}),
      )
    : undefined;

/** What the spec leaves alone is another's, also where a call cannot but send it along. */
export const leavingAlone: readonly Situation[] = [
  {
    id: 'the-other-direction-is-edited-at-the-same-moment',
    fits: (reference) => anyCollection(reference) && ruleEdit(reference) !== undefined,
    play: async (scene) => {
      const edit = ruleEdit(scene.reference);
      const mine = await scene.atRest();
      const rules = (): Row => (mine.row as { readonly rules: Row }).rules;
      const shown = (direction: string): unknown => rules()[direction];
      const written = shown(managed);
      await scene.outside({ method: 'PUT', path: `/v4${scene.pathOf(mine)}/rules`, body: { ...rules(), [theirs]: written } });
      await scene.apply({ [managed]: edit?.scenario.operation.spec[managed] });
      await scene.ready();
      await scene.pass(10 * minute);
      scene.check(
        'O5 no wrong victim',
        isDeepStrictEqual(shown(theirs), written),
        () => `${theirs} is ${JSON.stringify(shown(theirs))}: what a colleague had written was put back`,
      );
      scene.check('O4 converges and stays', !isDeepStrictEqual(shown(managed), written), () => `${managed} was not edited`);
    },
  },
];
