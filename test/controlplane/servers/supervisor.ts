/**
 * Owns the control plane's processes, so that none of them outlives whoever started it: it runs in a session of its own,
 * and when its channel to the parent closes, for whatever reason, it ends its children and removes their folder.
 * Its argument is the folder; the key of user tokens comes in CONTROL_PLANE_USER_KEY, where `ps` does not show it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Order, Report } from './supervisor-messages.ts';
import { startTokenWebhook } from './token-webhook.ts';

const folder = process.argv[2];
const key = process.env['CONTROL_PLANE_USER_KEY'];
if (folder === undefined || key === undefined) throw new Error('usage: CONTROL_PLANE_USER_KEY=... supervisor.ts FOLDER');

const children = new Map<string, ChildProcess>();
let kept = false;
let closing = false;

function tell(report: Report): void {
  // The channel may close at any moment; then there is nobody to tell.
  if (process.connected) process.send?.(report, () => undefined);
}

function spawnChild(order: Extract<Order, { order: 'spawn' }>): void {
  if (closing) return;
  const log = openSync(join(folder ?? '', `${order.name}.log`), 'a');
  const child = spawn(order.file, order.args, { cwd: folder, stdio: ['ignore', log, log], env: childEnvironment() });
  closeSync(log);
  children.set(order.name, child);
  child.on('error', () => exited(order.name, child, null, null));
  child.on('exit', (code, signal) => exited(order.name, child, code, signal));
  if (child.pid !== undefined) tell({ report: 'spawned', name: order.name, pid: child.pid });
}

/** Nothing of the parent's environment may reach the programs: ETCD_* variables, for one, are settings of etcd. */
function childEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: folder };
}

function exited(name: string, child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
  if (children.get(name) === child) children.delete(name);
  tell({ report: 'exited', name, code, signal });
  if (closing && children.size === 0) finish();
}

function close(): void {
  if (closing) return;
  closing = true;
  if (children.size === 0) finish();
  // Their data goes with them, so there is nothing to end gracefully for. SIGKILL also ends a paused process.
  for (const child of children.values()) child.kill('SIGKILL');
}

function finish(): void {
  rmSync(folder ?? '', { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

process.on('message', (order: Order) => {
  if (order.order === 'spawn') spawnChild(order);
  else if (order.order === 'signal') children.get(order.name)?.kill(order.signal);
  else if (order.order === 'keep') kept = true;
  else close();
});
process.on('disconnect', () => {
  if (!kept) close();
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, close);
process.on('uncaughtException', close);

const { url } = await startTokenWebhook(key);
if (!process.connected) close();
tell({ report: 'ready', webhook: url });
