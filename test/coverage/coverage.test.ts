import { expect, it } from 'vitest';
import { performedIn } from './ledger-notes.ts';
import { documentedIn, fileOf, linesOf, lost, totalOf } from './table.ts';

type Request = Parameters<typeof performedIn>[0][number];
const blank = { seq: 1, at: 0, monotonic: 0, euuid: '', username: '', query: '', filter: '', body: '', latency: 0, changes: [] };
const request = (method: string, template: string, userAgent: string, status = 200): Request => ({
  ...blank,
  path: template,
  method,
  template,
  userAgent,
  status,
});
const documented = documentedIn('method\tpath\tarea\nGET\t/volumes\tvolumes\nPOST\t/v4beta/networking/ips/share\tnetworking\n');

it('counts what a kind, the connection or a verb was answered with success', () => {
  const by = (agent: string, status?: number) => performedIn([request('GET', '/volumes', agent, status)], 'a test').map((one) => one.by);
  expect(by('cloud-operator/1.2.3 (CloudVolume)')).toEqual(['CloudVolume']);
  expect(by('cloud-operator (connection)')).toEqual(['connection']);
  expect(by('kubectl-cloud/1.2.3 (plan)')).toEqual(['kubectl cloud plan']);
  for (const other of ['', 'curl/8', 'cloud-operator/1.2.3', 'x cloud-operator/1 (CloudVolume)']) expect(by(other)).toEqual([]);
  for (const status of [0, 304, 400, 503]) expect(by('cloud-operator (CloudVolume)', status)).toEqual([]);
  expect(performedIn([request('GET', '', 'cloud-operator (CloudVolume)')], 'a test')).toEqual([]);
});

const raw = (template: string, status: number): number =>
  performedIn([request('POST', template, 'kubectl-cloud/1 (api)', status)], 't').length;

it('counts a raw request only for what the service has ended, where it says so', () => {
  expect(raw('/account/payments/paypal', 404)).toBe(1);
  expect(raw('/account/payments/paypal/execute', 404)).toBe(1);
  expect(raw('/account/payments/paypal', 200)).toBe(0);
  expect(raw('/account/payments', 200)).toBe(0);
  expect(raw('/account/payments', 404)).toBe(0);
});

it('names an operation as it is published under its own version', () => {
  const performed = performedIn([request('POST', '/networking/ips/share', 'cloud-operator (CloudIPShare)')], 'a test');
  expect(totalOf(linesOf(documented, performed))).toBe('1 of 2 operations are performed');
});

it('objects to an operation that nobody performs any more', () => {
  const there = linesOf(documented, performedIn([request('GET', '/volumes', 'cloud-operator (CloudVolume)')], 't'));
  const file = fileOf(there);
  expect(file).toBe('GET /volumes\n');
  expect(lost(file, there)).toEqual([]);
  expect(lost(file, linesOf(documented, []))).toEqual(['GET /volumes']);
});
