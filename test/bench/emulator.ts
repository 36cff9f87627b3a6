/**
 * Figures of the emulator beside their limits: `npm run bench emulator`; exit code 1 when one misses.
 * Times are of the processor, not of the wall: a busy machine must not change the verdict.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { Client } from 'undici';
import type { Emulator } from '../emulator/emulator.ts';
import { createEmulator } from '../emulator/emulator.ts';
import { testClock } from '../emulator/test-clock.ts';

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number;
  /** The limit is the least, not the most. */
  readonly least?: true;
}

const headers = { authorization: 'Bearer token-admin' };
const main = new URL('../emulator/main.ts', import.meta.url).pathname;

/** Milliseconds of processor time that this process has used. */
const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The least processor time of some runs, in milliseconds. */
async function least(runs: number, act: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const began = processor();
    await act();
    best = Math.min(best, processor() - began);
  }
  return best;
}

/** Milliseconds of processor time of another process, from the kernel's count of hundredths of a second. */
function processorOf(child: ChildProcess): number {
  const fields =
    readFileSync(`/proc/${String(child.pid)}/stat`, 'utf8')
      .split(') ')
      .at(-1)
      ?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function started(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [main, '--rate-profile', 'none'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, url: (JSON.parse(line) as { url: string }).url };
}

const emulator = (): Emulator => createEmulator({ clock: testClock(), knobs: { rateProfile: 'none' } });

function plant({ control }: Emulator, count: number, collection: 'volumes' | 'domains'): void {
  const time = '2026-01-01T00:00:00';
  const shared = { created: time, updated: time, tags: ['k8s'], status: 'active' };
  for (let index = 0; index < count; index += 1) {
    const row =
      collection === 'volumes'
        ? {
            label: `volume-${index}`,
            size: 20,
            region: 'us-east',
            vm_id: null,
            vm_label: null,
            hardware_type: 'nvme',
            filesystem_path: `/dev/disk/by-id/scsi-0Vm_Volume_volume-${index}`,
          }
        : {
            domain: `d${index}.example`,
            type: 'master',
            soa_email: 'a@b.example',
            group: '',
            description: '',
            axfr_ips: [],
            master_ips: [],
            ttl_sec: 0,
            expire_sec: 0,
            retry_sec: 0,
            refresh_sec: 0,
            errors: '',
          };
    control.edit({ collection, row: { ...row, ...shared } });
  }
}

async function get(subject: Emulator, path: string): Promise<void> {
  const { status } = await subject.handle({ method: 'GET', path: `/v4${path}`, headers });
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
}

/** Requests that one core of the emulator's process answers in a second, over keep-alive connections. */
async function loopback(): Promise<Figure> {
  const { child, url } = await started();
  const { origin, pathname } = new URL(url);
  const made = await fetch(`${url}/volumes`, { method: 'POST', headers, body: JSON.stringify({ label: 'one', region: 'us-east' }) });
  const { id } = (await made.json()) as { id: number };
  const clients = Array.from({ length: 8 }, () => new Client(origin));
  const ask = async (times: number): Promise<void> => {
    const one = async (client: Client): Promise<void> => {
      for (let call = 0; call < times; call += 1)
        await (await client.request({ method: 'GET', path: `${pathname}/volumes/${id}`, headers })).body.dump();
    };
    await Promise.all(clients.map(one));
  };
  await ask(1000);
  const began = processorOf(child);
  await ask(2500);
  const used = processorOf(child) - began;
  await Promise.all(clients.map((client) => client.close()));
  child.kill('SIGTERM');
  await once(child, 'exit');
  return {
    what: 'single-object requests over loopback',
    value: 20_000 / (used / 1000),
    unit: 'per second of one core',
    limit: 3000,
    least: true,
  };
}

async function start(): Promise<Figure> {
  let best = Infinity;
  for (let run = 0; run < 8; run += 1) {
    const { child } = await started();
    best = Math.min(best, processorOf(child));
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  return { what: 'start until the line is printed', value: best, unit: 'ms', limit: 300 };
}

async function pages(): Promise<readonly Figure[]> {
  const subject = emulator();
  plant(subject, 10_000, 'volumes');
  const many = async (): Promise<void> => {
    for (let call = 0; call < 10; call += 1) await get(subject, '/volumes?page_size=500&page=7');
  };
  const alone = (await least(20, many)) / 10;
  plant(subject, 40_000, 'domains');
  const among = (await least(20, many)) / 10;
  return [
    { what: 'page of 500 of 10,000 objects', value: alone, unit: 'ms', limit: 15 },
    { what: 'the same page among 40,000 objects of another kind', value: among / alone, unit: 'times', limit: 1.5 },
  ];
}

function megabytes(): number {
  if (globalThis.gc === undefined) throw new Error('run it with node --expose-gc');
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

function memory(): Figure {
  const before = megabytes();
  const subject = emulator();
  plant(subject, 25_000, 'volumes');
  plant(subject, 25_000, 'domains');
  const value = megabytes() - before;
  const kept = subject.control.rows('volumes').length + subject.control.rows('domains').length;
  return { what: `${kept} objects with their ledger`, value, unit: 'MB', limit: 250 };
}

const figures = [memory(), ...(await pages()), await start(), await loopback()];
const missed = figures.filter(({ value, limit, least: floor }) => (floor === true ? value < limit : value > limit));
for (const { what, value, unit, limit, least: floor } of figures) {
  process.stdout.write(`${what}: ${value.toFixed(value < 10 ? 2 : 0)} ${unit} (${floor === true ? 'at least' : 'at most'} ${limit})\n`);
}
if (missed.length > 0) {
  process.stdout.write(`missed: ${missed.map(({ what }) => what).join(', ')}\n`);
  process.exitCode = 1;
}
