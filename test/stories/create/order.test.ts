import { expect, it } from 'vitest';
import type { Backend } from '../../support/virtual/backend.ts';
import { World } from '../../support/world/world.ts';

/** Rows and lists of plain values the other way round: nothing promises their order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) {
    const plain = value.every((item) => typeof item !== 'object');
    return plain ? value.toReversed() : value.map(turned);
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(
    ([name, inner]) => [name, name === 'data' && Array.isArray(inner) ? inner.map(turned).toReversed() : turned(inner)] as const,
  );
  return Object.fromEntries(fields.toReversed());
}

/** Events are asked for in their order, and the lines of a zone file have one. */
const ordered = /\/account\/events|\/zone-file/;

it('an API that answers in another order changes nothing', async () => {
  let turning = false;
  const between = (server: 'kube' | 'cloud', backend: Backend): Backend =>
    server === 'kube'
      ? backend
      : {
          handle: async (request) => {
            const answer = await backend.handle(request);
            if (!turning || request.method !== 'GET' || ordered.test(request.path) || answer.status !== 200) return answer;
            return { ...answer, body: JSON.stringify(turned(JSON.parse(String(answer.body)))) };
          },
        };
  const world = await World.create({ between });
  await world.account();
  await world.start();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  const things: readonly (readonly [string, Record<string, unknown>])[] = [
    [
      'CloudInstance',
      {
        region: 'eu-central',
        type: 'g6-nanode-1',
        image: 'vm/debian11',
        tags: ['one', 'two'],
        privateIp: true,
        rootPasswordSecretRef: { name: 'root', key: 'password' },
      },
    ],
    ['CloudVolume', { region: 'eu-central', tags: ['one', 'two', 'three'] }],
    [
      'CloudDomain',
      { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com', axfrIps: ['192.0.2.1', '192.0.2.2'], tags: ['one', 'two'] },
    ],
    ['CloudFirewall', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', tags: ['one', 'two'] }],
  ];
  for (const [kind, spec] of things) await world.apply(kind, 'thing', spec);
  for (const [kind] of things) await world.ready(kind, 'thing');
  await world.clock.advance(1_200_000);
  const seen = async (): Promise<readonly unknown[]> => Promise.all(things.map(async ([kind]) => (await world.get(kind, 'thing')).status));
  const before = await seen();
  const calls = world.emulator.control.requests().filter(({ method }) => method !== 'GET').length;
  turning = true;
  await world.clock.advance(1_200_000);
  expect(await seen()).toEqual(before);
  expect(world.emulator.control.requests().filter(({ method }) => method !== 'GET')).toHaveLength(calls);
});
