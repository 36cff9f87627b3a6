import type { Clock } from '../../../src/lib/clock.ts';
import { sleep } from '../../../src/lib/clock.ts';
import type { BackendResponse } from '../../support/virtual/backend.ts';
import { ConnectionLost } from '../../support/virtual/backend.ts';
import { ApiError } from '../requests/api-error.ts';
import type { FaultAction } from './faults.ts';
import { jsonResponse, textResponse } from '../requests/respond.ts';

/** Carries out a request under a fault. Throws ConnectionLost where the client gets no answer. */
export async function applyFault(
  action: FaultAction | undefined,
  clock: Clock,
  serve: () => Promise<BackendResponse>,
): Promise<BackendResponse> {
  switch (action?.kind) {
    case undefined:
      return serve();
    case 'answer':
      return faultAnswer(action);
    case 'lose':
      throw new ConnectionLost();
    case 'delay':
      await sleep(clock, action.by);
      return serve();
    case 'delay-answer': {
      const response = await serve();
      await sleep(clock, action.by);
      return response;
    }
    case 'lose-answer':
      await discard(await serve());
      throw new ConnectionLost();
  }
}

async function discard(response: BackendResponse): Promise<void> {
  if (typeof response.body !== 'string' && !Buffer.isBuffer(response.body)) await response.body[Symbol.asyncIterator]().return?.();
}

function faultAnswer(action: Extract<FaultAction, { kind: 'answer' }>): BackendResponse {
  const body = action.body ?? new ApiError(action.status, '', `fault: the test makes the server answer ${action.status}`).body;
  const response = typeof body === 'string' ? textResponse(action.status, body) : jsonResponse(action.status, JSON.stringify(body));
  return { ...response, headers: { ...response.headers, ...action.headers } };
}
