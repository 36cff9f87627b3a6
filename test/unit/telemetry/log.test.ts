import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/telemetry/log.ts';

const apiToken = 'a3f1'.repeat(16);

function logged(): { readonly lines: Record<string, unknown>[]; readonly log: ReturnType<typeof createLog> } {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) }) };
}

describe('log', () => {
  it('writes one JSON object per line with level, time and fields', () => {
    const { log, lines } = logged();
    log.warn('a call failed', { kind: 'CloudVolume', namespace: 'shop' });
    log.debug('not at this level');
    expect(lines).toEqual([
      { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/) as string, kind: 'CloudVolume', namespace: 'shop', msg: 'a call failed' },
    ]);
  });

  it.each([
    { name: 'a field named token', fields: { token: 'abcd-1234' } },
    { name: 'a nested password', fields: { body: { root_pass: 'abcd-1234' } } },
    { name: 'a header', fields: { headers: { Authorization: 'Bearer abcd-1234' } } },
    { name: 'a bearer token in a text', fields: { detail: 'sent Authorization: Bearer abcd-1234' } },
    { name: 'an assignment in a text', fields: { detail: 'answer {"secret_key":"abcd-1234"}' } },
    { name: 'the message of an error', fields: { error: new Error('bad token=abcd-1234') } },
    { name: 'the cause of an error', fields: { error: new Error('failed', { cause: new Error('password: abcd-1234') }) } },
    { name: 'a list', fields: { list: [{ accessKey: 'abcd-1234' }] } },
  ])('hides $name', ({ fields }) => {
    const { log, lines } = logged();
    log.error('failed', fields);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain('abcd-1234');
    expect(JSON.stringify(lines)).toContain('[redacted]');
  });

  it('hides tokens by their look, also in the message', () => {
    const { log, lines } = logged();
    log.info(`the token ${apiToken} was refused`, { jwt: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln' });
    expect(JSON.stringify(lines)).not.toMatch(/a3f1a3f1|eyJ/);
  });

  it('keeps the names of Secrets readable', () => {
    const { log, lines } = logged();
    log.info('reading', { secretName: 'api-token', tokenSecretRef: { name: 'api-token', key: 'token' } });
    expect(lines[0]).toMatchObject({ secretName: 'api-token', tokenSecretRef: { name: 'api-token' } });
  });
});
