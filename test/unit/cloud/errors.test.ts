import { describe, expect, test } from 'vitest';
import { faultOf, lostFault, reasonsOf } from '../../../src/cloud/http/errors.ts';
import type { Failure } from '../../../src/cloud/http/errors.ts';

const failure = (part: Partial<Failure> & { text?: string }): Failure => ({
  method: 'POST',
  path: '/volumes',
  status: 400,
  headers: {},
  content: 'json',
  reasons: part.text === undefined ? [] : [{ reason: part.text }],
  ...part,
});
const same = (text: string): string => text;
const html = { content: 'other' } as const;

describe('status and text', () => {
  test.each<[string, Parameters<typeof failure>[0], string]>([
    ['an unreadable success of a change', { status: 200, content: 'broken' }, 'Unknown'],
    ['an empty success of a change', { status: 200, content: 'empty' }, 'Unknown'],
    ['an unreadable success of a read', { method: 'GET', status: 200, content: 'broken' }, 'Malformed'],
    ['HTML with 200', { method: 'GET', status: 200, ...html }, 'Malformed'],
    ['a redirect', { method: 'GET', status: 301, content: 'empty' }, 'Unavailable'],
    ['400 of nginx', { status: 400, ...html }, 'Unavailable'],
    ['401 of a proxy', { method: 'GET', status: 401, ...html }, 'Unavailable'],
    ['401 Invalid Token', { status: 401, text: 'Invalid Token', headers: { 'x-oauth-scopes': 'unknown' } }, 'Unauthorized'],
    ['401 without scope header', { status: 401, text: 'Invalid Token' }, 'Unauthorized'],
    [
      '401 missing scope',
      { status: 401, text: 'Your OAuth token is not authorized to use this endpoint.', headers: { 'x-oauth-scopes': 'volumes:read_only' } },
      'Forbidden',
    ],
    ['401 missing scope by text', { status: 401, text: 'Your OAuth token is not authorized to use this endpoint.' }, 'Forbidden'],
    ['403', { status: 403, text: 'Unauthorized' }, 'Forbidden'],
    ['403 of a proxy', { method: 'GET', status: 403, ...html }, 'Unavailable'],
    ['404', { status: 404, text: 'Not found' }, 'NotFound'],
    ['404 of a balancer proves no absence', { method: 'GET', status: 404, ...html }, 'Unavailable'],
    ['405', { status: 405, text: 'Method Not Allowed' }, 'Rejected'],
    ['408 of a change', { status: 408, text: 'Please try again' }, 'Unknown'],
    ['408 of a read', { method: 'GET', status: 408, text: 'Please try again' }, 'Unavailable'],
    ['429', { status: 429, text: 'Too many requests' }, 'Throttled'],
    ['429 of a balancer on a change', { status: 429, ...html }, 'Unknown'],
    ['429 of a balancer, empty', { method: 'DELETE', status: 429, content: 'empty' }, 'Unknown'],
    ['429 of a balancer on a read', { method: 'GET', status: 429, ...html }, 'Throttled'],
    ['500 of a change', { status: 500, text: 'Internal server error' }, 'Unknown'],
    ['500 of a read', { method: 'GET', status: 500, text: 'Internal server error' }, 'Unavailable'],
    ['502 of a change', { method: 'PUT', status: 502, ...html }, 'Unknown'],
    [
      '503 not yet',
      { method: 'GET', status: 503, text: 'Cluster kubeconfig is not yet available. Please try again later.' },
      'Unavailable',
    ],
    ['503 in maintenance', { status: 503, headers: { 'x-maintenance-mode': 'true' } }, 'Unavailable'],
    ['instance label taken', { text: 'Label must be unique among your linodes' }, 'NotUnique'],
    ['firewall label taken', { text: 'Label must be unique among your Cloud Firewalls' }, 'NotUnique'],
    ['CNAME conflict is no duplicate', { text: 'Record conflict - CNAMES must be unique' }, 'Rejected'],
    ['names of questions in a script', { text: 'Invalid StackScript: UDF names must be unique' }, 'Rejected'],
    ['Linode busy.', { text: 'Linode busy.' }, 'Busy'],
    ['never booted', { text: "Couldn't choose a configuration profile to add this volume to." }, 'Busy'],
    ['volume busy', { text: 'This volume is busy; please try again when the volume is active.' }, 'Busy'],
    ['still attached', { text: 'Volume 3 is already attached' }, 'Busy'],
    ['restoring', { text: 'Linode is restoring a backup. Please wait for restore to finish before deleting.' }, 'Busy'],
    ['pending backup', { text: 'Unable to restore pending backups.' }, 'Busy'],
    [
      'provisioning',
      { text: 'Your database is provisioning; please wait until provisioning is complete to perform this operation.' },
      'Busy',
    ],
    ['must be detached', { text: 'This volume must be detached before it can be deleted.' }, 'Busy'],
    ['forward DNS missing', { text: "We were unable to perform a lookup for 'a.example.org' at this time." }, 'Busy'],
    ['forward DNS differs', { text: "No match was found for 'a'. Reverse DNS must have a matching forward entry." }, 'Busy'],
    ['account limit', { text: 'Account Limit reached. Please open a support ticket.' }, 'Quota'],
    [
      'more addresses',
      { text: 'Additional IPv4 addresses require technical justification.  Please contact support describing your requirement' },
      'Quota',
    ],
    ['Longview plan is full', { text: 'Your Longview subscription has no more clients available.' }, 'Quota'],
    ['too many firewalls', { text: 'Too many active firewalls attached to NodeBalancer a (ID 1)' }, 'Quota'],
    ['verification', { text: 'Phone verification is required' }, 'Forbidden'],
    ['no quota', { text: 'longview_subscription editing at this location is no longer available.' }, 'Rejected'],
    ['validation', { text: 'Must be 10-10240' }, 'Rejected'],
    ['422', { status: 422, text: 'anything' }, 'Rejected'],
    ['409', { status: 409, text: 'We were unable to charge your credit card' }, 'Rejected'],
    ['413 of a proxy', { status: 413, ...html }, 'Unknown'],
  ])('%s', (_, part, fault) => {
    expect(faultOf(failure(part)).fault).toBe(fault);
  });

  test('retry-after is believed on 408, 429 and 503 only', () => {
    const headers = { 'retry-after': '17' };
    expect(faultOf(failure({ status: 429, text: 'Too many requests', headers })).retryAfter).toBe(17_000);
    expect(faultOf(failure({ status: 503, method: 'GET', headers })).retryAfter).toBe(17_000);
    expect(faultOf(failure({ status: 400, text: 'x', headers })).retryAfter).toBeUndefined();
  });

  test('429 without a header waits a minute', () => {
    expect(faultOf(failure({ status: 429, text: 'Too many requests' })).retryAfter).toBe(60_000);
  });

  test('the message says call, status, reason, field and what to do', () => {
    const reasons = [{ reason: 'region is not valid', field: 'region' }];
    expect(faultOf(failure({ reasons })).message).toBe('POST /volumes: 400 "region is not valid" (region)');
    expect(faultOf(failure({ status: 401, text: 'Invalid Token', headers: { 'x-oauth-scopes': 'unknown' } })).message).toContain(
      'into its Secret',
    );
    const headers = { 'x-oauth-scopes': 'a:b', 'x-accepted-oauth-scopes': 'volumes:read_write' };
    expect(faultOf(failure({ status: 401, text: 'no', headers })).message).toContain('needs volumes:read_write');
  });
});

describe('no answer', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const unreachable = Object.assign(new Error('write EHOSTUNREACH'), { code: 'EHOSTUNREACH' });
  const cut = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  test.each<['GET' | 'POST' | 'PUT' | 'DELETE', boolean, Error, string]>([
    ['POST', true, refused, 'Unavailable'],
    ['POST', true, unreachable, 'Unknown'],
    ['POST', false, unreachable, 'Unavailable'],
    ['POST', false, cut, 'Unavailable'],
    ['POST', true, cut, 'Unknown'],
    ['PUT', true, cut, 'Unknown'],
    ['DELETE', true, cut, 'Unknown'],
    ['GET', true, cut, 'Unavailable'],
  ])('%s, sent %s: %s', (method, sent, cause, fault) => {
    expect(lostFault({ method, path: '/volumes' }, sent, cause).fault).toBe(fault);
  });
});

test('error items of every recorded form are read, others ignored', () => {
  const body = { errors: [{ reason: 'a' }, { reason: 'b', field: null }, { reason: 'c', field: 'x' }, { field: 'y' }, 'z'] };
  expect(reasonsOf(body, same, same)).toEqual([{ reason: 'a' }, { reason: 'b' }, { reason: 'c', field: 'x' }]);
  expect(reasonsOf('<html>', same, same)).toEqual([]);
});
