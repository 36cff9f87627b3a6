import type { Millis } from '../../../src/lib/clock.ts';
import type { BackendResponse } from '../../support/virtual/backend.ts';
import type { FaultAction } from '../../apiserver/faults/faults.ts';
import type { Effect } from '../../emulator/core/faults.ts';
import type { Stage } from './stage.ts';
import type { Step } from './step.ts';
import { type Carry, pass, type Passage } from './wire.ts';

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

/** The account API treats this one request so. */
export const withEffect =
  (stage: Stage, effect: Effect): Carry =>
  (passage, backend) => {
    const { control } = stage.world.emulator;
    stage.wire.mark(`the API: ${JSON.stringify(effect)}`);
    const id = control.addFault({ match: {}, times: 1, effect });
    const answered = pass(passage, backend);
    control.removeFault(id);
    return answered;
  };

/** The API server treats this one request so. */
export const withAction =
  (stage: Stage, action: FaultAction): Carry =>
  (passage, backend) => {
    stage.wire.mark(`the API server: ${JSON.stringify(action)}`);
    const remove = stage.world.server.faults.add({ match: {}, nth: 1, action });
    const answered = pass(passage, backend);
    remove();
    return answered;
  };

/** From the first strike on for so long; afterwards requests pass. */
export function lasting(stage: Stage, span: Millis, strike: Carry): Carry {
  let until: Millis | undefined;
  return (passage, backend, operator) => {
    const now = stage.world.clock.monotonic();
    until ??= now + span;
    return now < until ? strike(passage, backend, operator) : pass(passage, backend);
  };
}

/** SIGTERM while the request is under way. */
export const stopAt =
  (stage: Stage): Carry =>
  (passage, backend, operator) => {
    const answered = pass(passage, backend);
    stage.terminate(operator);
    return answered;
  };

/** SIGSTOP before the request leaves; it leaves when the process goes on. */
export const freezeBefore =
  (stage: Stage, span: Millis): Carry =>
  async (passage, backend, operator) => {
    stage.freeze(operator, span);
    await stage.wire.frozen(operator);
    return pass(passage, backend);
  };

/** SIGSTOP before the answer is read. */
export const freezeAtCommit =
  (stage: Stage, span: Millis): Carry =>
  async (passage, backend, operator) => {
    stage.freeze(operator, span);
    const response = await pass(passage, backend);
    await stage.wire.frozen(operator);
    return response;
  };

/** SIGSTOP before the answer is read, until another one leads; the answer is the first thing that is done afterwards. */
export const freezeUntilReplaced =
  (stage: Stage): Carry =>
  async (passage, backend, operator) => {
    stage.freezeUntilReplaced(operator);
    const response = await pass(passage, backend);
    await stage.wire.frozen(operator);
    return response;
  };
