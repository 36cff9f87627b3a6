import { expect, it } from 'vitest';
import { endpointsOf } from '../../../src/plugin/account/endpoints.ts';
import type { Call } from '../../../src/plugin/command-line/command.ts';

const callWith = (endpoints: string, flags: Record<string, string> = {}): Call =>
  ({
    flags,
    session: { isAlone: false, reader: () => Promise.resolve({ optional: () => Promise.resolve({ data: { endpoints } }) }) },
  }) as never;

it("an authority that the operator's flag names lies in its pod, and is looked for on no other machine", async () => {
  const offered = callWith('main=https://api.example.com/v4,word=vm,ca=/etc/cloud/ca.crt other=https://api.example.org/v4');
  expect(await endpointsOf(offered)).toEqual([
    { name: 'main', url: 'https://api.example.com/v4', word: 'vm' },
    { name: 'other', url: 'https://api.example.org/v4', word: 'vm' },
  ]);
  const typed = callWith('', { endpoint: 'main=https://api.example.com/v4,ca=mine.crt' });
  expect(await endpointsOf(typed)).toMatchObject([{ name: 'main', ca: 'mine.crt' }]);
});
