import { expect, it } from 'vitest';
import { outcomeOf } from '../../../src/engine/status/fault-table.ts';
import { CloudError } from '../../../src/engine/ports/index.ts';
import { caseOf, fixtures } from '../../conformance/case.ts';

const [fixture] = fixtures;

it('quotes the words of the API, and tells what to do as a sentence of its own, also where the API writes a period', () => {
  if (fixture === undefined) throw new Error('no fixture');
  const error = new CloudError('Rejected', 'POST /things: 400', {
    status: 400,
    reasons: [{ reason: 'Linode "web" must be off.' }, { reason: 'Not authorized.' }],
  });
  expect(outcomeOf(caseOf(fixture).kind, error)).toMatchObject({
    is: 'Stalled',
    message: expect.stringMatching(
      /^the API refused POST \/things: it said "Linode 'web' must be off"; it said "Not authorized"\. Change the spec/,
    ),
  });
});
