import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processFigures } from '../bench/process-figures.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { Stage } from '../support/process/stage.ts';

const total = 2 ** 30;
const piece = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(2 ** 16 - 2, 7)]);
const canary = 'Vx9qZ-source';

let source: Server;
let stage: Stage;
/** What the operator holds, looked at with each sixteenth of the data. */
const resident: number[] = [];
/** The first so many requests break off in the middle. */
let breaks = 1;
let asked = 0;

beforeAll(async () => {
  source = createServer((_, response) => {
    asked += 1;
    const ends = breaks > 0 ? total / 2 : total;
    breaks -= 1;
    response.setHeader('content-length', total);
    const pieces = async function* () {
      for (let sent = 0; sent < ends; sent += piece.length) {
        if (sent % (total / 16) === 0) resident.push((await processFigures(stage.operator.program.pid)).resident);
        yield piece;
      }
      if (ends < total) response.destroy();
    };
    Readable.from(pieces(), { objectMode: false }).pipe(response);
  });
  await new Promise<void>((ready) => source.listen(0, '127.0.0.1', ready));
  const { port } = source.address() as AddressInfo;
  stage = await Stage.open({ emulator: ['--speed', '20'], flags: [`--image-source=127.0.0.1:${port}`] });
  await stage.account();
  await stage.ready('CloudAccount', 'default');
  await stage.secret('where', { url: `http://127.0.0.1:${port}/golden.img.gz?token=${canary}` });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await stage.close();
  source.close();
});

it(
  'a gigabyte goes through a running operator, which grows by less than 32 MB and tells nobody from where',
  { timeout: 240_000 },
  async () => {
    const upload = { region: 'us-east', urlSecretRef: { name: 'where', key: 'url' } };
    await stage.apply(stage.manifest('CloudImage', 'golden', { label: 'golden', upload }));
    const { status } = await stage.ready('CloudImage', 'golden', 200_000);
    expect(status).toMatchObject({ state: 'available', sizeMB: 1024 });
    const [first = Number.NaN, ...rest] = resident;
    process.stdout.write(`resident at the start ${first.toFixed(1)} MB, at most ${Math.max(...rest).toFixed(1)} MB\n`);
    expect([asked, rest.length]).toEqual([2, 23]);
    expect(Math.max(...rest) - first).toBeLessThan(32);
    const images = (await stage.emulator.alive()).filter(({ collection, row }) => collection === 'images' && row['is_public'] === false);
    expect(images).toMatchObject([{ row: { label: 'golden', status: 'available' } }]);
    const told = JSON.stringify([
      await stage.find('CloudImage', 'golden'),
      (await stage.cluster.kubectl(['get', 'events', '-n', stage.namespace, '-o', 'json'])).stdout,
      await stage.operator.program.lines(),
    ]);
    expect(told.includes(canary) || told.includes('Signature=')).toBe(false);
  },
);
