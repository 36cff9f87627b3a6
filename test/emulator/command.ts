import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkedKnobs } from './contract/knobs.ts';
import { controlHandler } from './control-api.ts';
import type { AccountSpec } from './core/accounts.ts';
import { defaultAccounts } from './core/accounts.ts';
import { createEmulator } from './emulator.ts';
import { serve } from './server.ts';
import { testClock } from './test-clock.ts';

export const usage = `Usage: node test/emulator/main.ts [options]
  --listen HOST:PORT       where the API answers (127.0.0.1:0)
  --control HOST:PORT      where the control port answers (127.0.0.1:0)
  --provider-word WORD     what stands for "vm" in paths and names (vm)
  --speed N                divides durations of jobs; 0 = at once (1)
  --seed N                 of ids, addresses, secrets and faults (1)
  --accounts FILE          JSON: accounts with users and tokens
  --rate-profile NAME      published-2026, recorded-2023 or none (published-2026)
  --knobs JSON             other knobs, see contract/knobs.ts
  --virtual-time           time stands still until the control port steps it
`;

const options = {
  listen: { type: 'string', default: '127.0.0.1:0' },
  control: { type: 'string', default: '127.0.0.1:0' },
  'provider-word': { type: 'string', default: 'vm' },
  speed: { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  accounts: { type: 'string' },
  'rate-profile': { type: 'string', default: 'published-2026' },
  knobs: { type: 'string', default: '{}' },
  'virtual-time': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new RangeError(`--${name} takes a number, not "${text}"`);
  return value;
}

/** The command: flags in, one line of JSON out when it answers. Rejects on flags that it does not know. */
export async function run(): Promise<void> {
  const { values } = parseArgs({ options, strict: true });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const accounts = values.accounts === undefined ? defaultAccounts : (JSON.parse(readFileSync(values.accounts, 'utf8')) as AccountSpec[]);
  const clock = values['virtual-time'] ? testClock() : undefined;
  const emulator = createEmulator({
    ...(clock === undefined ? {} : { clock }),
    seed: number('seed', values.seed),
    speed: number('speed', values.speed),
    providerWord: values['provider-word'],
    accounts,
    knobs: checkedKnobs({ ...(JSON.parse(values.knobs) as object), rateProfile: values['rate-profile'] }),
  });
  const api = await serve((request) => emulator.handle(request), {
    listen: values.listen,
    outage: emulator.outage,
    maxBody: (path) => emulator.maxBody(path),
  });
  emulator.setOrigin(api.origin);
  const control = await serve(controlHandler(emulator.control, clock), { listen: values.control });
  const token = accounts[0]?.tokens[0]?.token ?? '';
  const stop = (): void => void Promise.all([api.close(), control.close()]).then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Last: whoever reads it may end the program at once.
  process.stdout.write(`${JSON.stringify({ url: `${api.origin}/v4`, controlUrl: control.origin, token })}\n`);
}
