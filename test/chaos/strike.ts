import type { Millis } from '../../src/lib/clock.ts';
import type { BackendResponse } from '../support/backend.ts';
import type { Stage } from './stage.ts';
import type { Step } from './step.ts';
import type { Carry, Passage } from './wire.ts';

export const hits =
  ({ server, shape, nth }: Step) =>
  (passage: Passage): boolean =>
    passage.server === server && passage.shape === shape && passage.nth === nth;

const silence = (): Promise<never> => new Promise(() => undefined);

/** The same request, cut loose from the client's connection. */
export const detached = (passage: Passage): Passage['request'] => ({ ...passage.request, signal: new AbortController().signal });

/** The process dies before its request leaves. */
export const dieBefore =
  (stage: Stage): Carry =>
  (passage, _backend, operator) => {
    passage.outcome = 'never sent';
    stage.kill(operator);
    return silence();
  };

/** The request is on the wire when the process dies, and is received so much later. */
export const dieInTransit =
  (stage: Stage, after: Millis): Carry =>
  (passage, backend, operator) => {
    passage.outcome = `received ${after / 1000} s later`;
    stage.kill(operator);
    stage.world.clock.after(after, () => {
      stage.wire.mark(`${passage.shape} of ${operator.identity} is received now`);
      void backend.handle(detached(passage)).catch(() => undefined);
    });
    return silence();
  };

/** The server has done it, the process dies before it learns so. */
export const dieAtCommit =
  (stage: Stage): Carry =>
  async (passage, backend, operator) => {
    const request = detached(passage);
    const answered = backend.handle(request);
    stage.world.activity.note();
    const response = await answered.catch(() => undefined);
    passage.outcome = `${response?.status ?? 'lost'}, never told`;
    stage.kill(operator);
    return silence();
  };

/** The process has the answer in its hands and dies with the next thing that it does. */
export const dieAtAnswer =
  (stage: Stage): Carry =>
  async (passage, backend, operator): Promise<BackendResponse> => {
    const response = await backend.handle(passage.request);
    passage.outcome = `${response.status}, then death`;
    stage.world.activity.note();
    setImmediate(() => stage.kill(operator));
    return response;
  };
