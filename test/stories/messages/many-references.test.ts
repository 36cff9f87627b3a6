import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const long = (n: number): string => `${'a'.repeat(240)}${n}`;
const rules = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
interface Waiting {
  readonly message: string;
  readonly waitingFor: readonly string[];
  readonly size: number;
}

async function firewallOf(instanceRefs: readonly { readonly name: string }[]): Promise<Waiting> {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudFirewall', 'fw', { ...rules, instanceRefs });
  const { message } = await world.reason('CloudFirewall', 'fw', 'ReferenceNotReady', 60_000);
  const { status } = await world.get('CloudFirewall', 'fw');
  return { message, waitingFor: status?.['waitingFor'] as readonly string[], size: JSON.stringify(status).length };
}

it('of 500 references that lead to nothing status names some, how many more there are, and what to do', async () => {
  const { message, waitingFor, size } = await firewallOf(Array.from({ length: 500 }, (_, n) => ({ name: long(n) })));
  expect(size).toBeLessThan(20_000);
  expect(waitingFor.length).toBeLessThanOrEqual(21);
  expect(waitingFor.at(-1)).toBe(`and ${500 - waitingFor.length + 1} more`);
  expect(message).toContain(`; and ${500 - waitingFor.length + 1} more`);
  expect(message).toMatch(/take it out of this spec|delete this object/);
});

it('of a few it names all', async () => {
  const { message, waitingFor } = await firewallOf(Array.from({ length: 20 }, (_, n) => ({ name: `web-${n}` })));
  expect(waitingFor).toHaveLength(20);
  expect(message).toContain('spec.instanceRefs[19]: CloudInstance web-19 is not found');
});
