import { beforeEach, describe, expect, it } from 'vitest';
import type { HistoryData } from '../../../../src/plugin/output/account-shapes.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const firewall = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const asked = (line: string, options: CliOptions = {}): Promise<Ran> =>
  cloud(world, `history ${line} --endpoint ${endpoint}`, { limit: 5 * minute, ...options });
const seen = async (line: string, options: CliOptions = {}): Promise<HistoryData> =>
  dataOf(await asked(`${line} -o json`, options)) as unknown as HistoryData;

async function edges(): Promise<string> {
  for (const name of ['edge', 'other']) await world.apply('CloudFirewall', name, firewall);
  for (const name of ['edge', 'other']) await world.ready('CloudFirewall', name);
  return String((await world.get('CloudFirewall', 'edge')).status?.['path']);
}

describe('one object', () => {
  it("shows a colleague's change and its correction in order, and nothing of another object", async () => {
    const path = await edges();
    await world.clock.advance(10 * minute);
    await new CloudUser(world).put(`${path}/rules`, { inbound_policy: 'ACCEPT', outbound_policy: 'ACCEPT' });
    await world.clock.advance(10 * minute);
    const { entries, remote, object } = await seen('cfw/edge');
    expect([object, remote]).toEqual(['CloudFirewall team-a/edge', path]);
    expect(entries.map(({ at }) => Date.parse(at))).toEqual(entries.map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b));
    const creates = entries.filter(({ what }) => what === 'firewall_create');
    expect(creates).toMatchObject([{ source: 'account', by: 'admin', about: 'itself' }]);
    const theirs = entries.findIndex(({ by, source }) => by === 'colleague' && source === 'account');
    const back = entries.findIndex(({ what }) => what === 'set back: spec.inboundPolicy');
    expect(theirs).toBeGreaterThan(0);
    expect(back).toBeGreaterThan(theirs);
    expect(entries[back]).toMatchObject({ source: 'status', message: 'likely made by colleague' });
    const { out, exit } = await asked('cfw/edge');
    expect(exit).toBe(0);
    expect(out).toMatch(/^TIME +FROM +USER +WHAT +DETAILS\n/);
    expect(out).toMatch(/Z +account +colleague +firewall_\w+ +/);
    expect(out + JSON.stringify(entries)).not.toContain('token-admin');
  });

  it('that is the account itself shows what names no resource', async () => {
    await new CloudUser(world, 'token-admin').put('/account', { company: 'Example' });
    const { entries, remote } = await seen('cacc/default');
    expect(remote).toBe('/account');
    expect(entries.map(({ what }) => what)).toContain('account_update');
    expect(entries.map(({ what }) => what)).not.toContain('vm_create');
  });

  it('has what the API server keeps: Events, and who wrote spec and annotations', async () => {
    await edges();
    const managedFields = [
      { manager: 'helm', operation: 'Apply', time: '2026-01-01T00:00:01Z', fieldsV1: { 'f:spec': {} } },
      {
        manager: 'cloud-operator-cli',
        time: '2026-01-01T00:00:02Z',
        fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:cloudhosting.dev/approve': {}, 'f:example.com/else': {} } } },
      },
      { manager: 'cloud-operator', time: '2026-01-01T00:00:03Z', subresource: 'status', fieldsV1: { 'f:status': {} } },
    ];
    // As an API server notes it, which the one in memory does not.
    const between = (server: Backend): Backend => ({
      handle: async (request) => {
        const answer = await server.handle(request);
        if (!request.path.endsWith('/cloudfirewalls/edge')) return answer;
        const object = JSON.parse(String(answer.body)) as { readonly metadata: object };
        return { ...answer, body: JSON.stringify({ ...object, metadata: { ...object.metadata, managedFields } }) };
      },
    });
    const uid = (await world.get('CloudFirewall', 'edge')).metadata.uid;
    const about = { involvedObject: { kind: 'CloudFirewall', namespace: 'team-a', name: 'edge', uid }, type: 'Normal' };
    const times = { lastTimestamp: new Date(world.clock.now()).toISOString() };
    for (const [name, more] of Object.entries({
      mine: { ...about, count: 3 },
      other: { ...about, involvedObject: { ...about.involvedObject, uid: 'other' } },
    }))
      await world.admin('POST', '/api/v1/namespaces/team-a/events', {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'team-a' },
        reason: `Seen-${name}`,
        message: 'as it is',
        ...more,
        ...times,
      });
    const { entries } = await seen('cfw/edge', { between });
    const kept = entries.filter(({ source }) => source === 'kubernetes');
    expect(kept.find(({ what }) => what === 'Seen-mine')).toMatchObject({ state: 'Normal', message: 'as it is (3 times)' });
    expect(kept.filter(({ what }) => what === 'Seen-other')).toEqual([]);
    const written = kept.filter(({ what }) => what.startsWith('written: '));
    expect(written.map(({ at, by, what }) => `${at} ${by} ${what}`)).toEqual([
      '2026-01-01T00:00:01Z helm written: spec',
      '2026-01-01T00:00:02Z cloud-operator-cli written: cloudhosting.dev/approve',
    ]);
  });

  it('tells when a condition turned, and what it says as of now, once', async () => {
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
    await world.ready('CloudVolume', 'data');
    await world.clock.advance(10 * minute);
    await new CloudUser(world).delete(String((await world.get('CloudVolume', 'data')).status?.['path']));
    await world.reason('CloudVolume', 'data', 'RemoteMissing');
    const rows = (await seen('cvol/data')).entries.filter(({ source, what }) => source === 'status' && / (?:False|True)$/.test(what));
    expect(rows.map(({ what }) => what)).toContain('Ready: False');
    expect(rows.filter((row) => Object.hasOwn(row, 'state'))).toEqual([]);
    // What is so now says nothing of when it came to be so.
    expect(rows.filter((row) => Object.hasOwn(row, 'message'))).toEqual([]);
    const { now = [] } = await seen('cvol/data');
    expect(now.map(({ reason }) => reason)).toEqual(['RemoteMissing']);
    const { out } = await asked('cvol/data --context over-there');
    expect(out).toMatch(/ status +Ready: False, Synced: False(, \w+: \w+)*\n/);
    expect(out).toMatch(/\n\nNow: Ready: False, Synced: False(, \w+: \w+)*\n {2}RemoteMissing: \S+ is gone /);
    expect(out.match(/ {2}RemoteMissing: /g)).toHaveLength(1);
  });

  it('quotes Events as they are, and tells the same in a row once', async () => {
    await edges();
    const uid = (await world.get('CloudFirewall', 'edge')).metadata.uid;
    const message = 'do this: kubectl cloud why cfw/edge';
    for (const [at, name] of ['one', 'two', 'three'].entries())
      await world.admin('POST', '/api/v1/namespaces/team-a/events', {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'team-a' },
        involvedObject: { kind: 'CloudFirewall', namespace: 'team-a', name: 'edge', uid },
        type: 'Warning',
        reason: 'Again',
        message,
        lastTimestamp: new Date(world.clock.now() + (at + 1) * minute).toISOString(),
      });
    const { out } = await asked('cfw/edge --context over-there');
    expect(out.match(/ Again /g)).toHaveLength(1);
    expect(out).toMatch(/ Again +Warning "do this: kubectl cloud why cfw\/edge" \(3 times, last \d{4}-\S+Z\)\n/);
    expect((await seen('cfw/edge')).entries.filter(({ what }) => what === 'Again')).toHaveLength(3);
  });

  it('says where else to look where it is gone', async () => {
    const { exit, err } = await asked('cvol/none');
    expect(exit).toBe(4);
    expect(err).toContain('\n  kubectl cloud events --kind cvol\n');
    expect(err).toContain('\n  kubectl -n team-a get events --field-selector=involvedObject.kind=CloudVolume,involvedObject.name=none\n');
  });

  it('has what the operator sent for it, by its audit log, and how each call ended', async () => {
    const path = await edges();
    const { uid } = (await world.get('CloudFirewall', 'edge')).metadata;
    const at = (seconds: number): string => new Date(world.clock.now() + seconds * 1000).toISOString();
    const call = { uid, method: 'PUT', path: `${path}/rules`, cause: 'drift', effect: 'InPlace', askedBy: 'helm' };
    const log = [
      'some other line',
      '{"level":"info"}',
      JSON.stringify({ time: at(1), audit: 'sent', id: 'a-1', ...call }),
      JSON.stringify({ time: at(2), audit: 'answered', id: 'a-1', outcome: 'Accepted', ...call }),
      JSON.stringify({ time: at(3), audit: 'sent', id: 'a-2', ...call }),
      JSON.stringify({ time: at(4), audit: 'sent', id: 'a-3', ...call, uid: 'other' }),
      '{"cut',
    ];
    const files = { 'audit.log': log.join('\n') };
    const { entries } = await seen('cfw/edge --audit audit.log', { files });
    expect(entries.filter(({ source }) => source === 'audit')).toMatchObject([
      { what: `PUT ${path}/rules`, by: 'operator', state: 'Accepted', message: 'drift, InPlace, spec by helm' },
      { state: 'no answer is known' },
    ]);
  });

  it('says that the service keeps events for 90 days when the question is older', async () => {
    expect((await asked('cacc/default --since 120d')).err).toContain('the service keeps events for 90 days');
    expect((await asked('cacc/default --since 90d')).err).not.toContain('90 days');
  });

  it('can be cut off by time', async () => {
    await edges();
    await world.clock.advance(60 * minute);
    expect((await seen('cfw/edge --since 1m')).entries).toEqual([]);
    expect((await asked('cfw/edge --since 1m')).out).toMatch(/^Nothing is known of that time\.\n\nNow: Ready: True, /);
  });

  it('that lies below another shows the events that name only that one, and marks them', async () => {
    await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'dns@example.org' });
    await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '192.0.2.1' });
    await world.ready('CloudDomainRecord', 'www');
    const { entries } = await seen('crec/www');
    const below = entries.filter(({ about }) => about === 'parent');
    expect(below.map(({ what }) => what)).toContain('domain_record_create');
    expect((await asked('crec/www')).out).toContain('may be of another there');
  });

  it('of which events tell nothing, or that has nothing yet, shows its status and says so', async () => {
    await world.apply('CloudBucket', 'assets', { cluster: 'us-east-1' });
    await world.ready('CloudBucket', 'assets');
    expect((await asked('cbkt/assets')).err).toContain("the account's events name no CloudBucket");
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'none' }, sizeGiB: 20 });
    await world.clock.advance(minute);
    const { err, out } = await asked('cvol/data');
    expect(err).toContain('CloudVolume team-a/data has nothing in the account yet');
    expect(out).toContain('object made');
  });
});

describe('of an account that cannot be read', () => {
  it('shows what Kubernetes knows, and says why the rest is missing and what to do', async () => {
    await edges();
    world.emulator.control.revokeToken('token-admin');
    const { exit, out, err } = await asked('cfw/edge');
    expect(exit).toBe(4);
    expect(out).toMatch(/^TIME +FROM +USER +WHAT +DETAILS\n/);
    expect(out).toMatch(/Z +status +object made/);
    expect(out).toMatch(/Z +kubernetes +/);
    expect(out).toMatch(
      /\nWhat the account tells is missing: the token of CloudAccount team-a\/default was refused: it is wrong, expired or revoked\. Put a valid one into Secret team-a\/cloud-token, key token; or .*\n$/,
    );
    expect(err).not.toContain('was refused');
    const { entries, unread, account } = await seen('cfw/edge');
    expect([entries.length > 3, entries.some(({ source }) => source === 'account'), account]).toEqual([true, false, undefined]);
    expect(unread).toContain('the token of CloudAccount team-a/default was refused');
  });
  it('has the lines to type where its Secret is missing, or may not be read', async () => {
    await edges();
    await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/cloud-token');
    const { exit, out } = await asked('cfw/edge');
    expect([exit, out]).toEqual([
      4,
      expect.stringMatching(
        /\nWhat the account tells is missing: Secret team-a\/cloud-token does not exist, .*\n {2}read -rs TOKEN && kubectl -n team-a create secret /,
      ),
    ]);
    world.server.addUser('reader', { name: 'reader' });
    world.server.setGrants([{ to: 'reader', rules: [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get'] }] }]);
    const blind = await asked('cfw/edge', { token: 'reader' });
    expect([blind.exit, blind.out]).toEqual([
      4,
      expect.stringMatching(/Z +status +object made[^]*What the account tells is missing: .*secrets/),
    ]);
  });
  it('has all that there is of what no event names, without a token', async () => {
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'none' }, sizeGiB: 20 });
    await world.clock.advance(minute);
    world.emulator.control.revokeToken('token-admin');
    expect(await asked('cvol/data')).toMatchObject({ exit: 0, out: expect.not.stringContaining('is missing: the token') });
  });
  it('is not softened where another account was meant', async () => {
    await edges();
    expect(await asked('cfw/edge --expect-account E2')).toMatchObject({ exit: 4, out: '' });
  });
});

it.each([
  ['cfw', 2, 'history of what?'],
  ['cfw/a cfw/b', 2, 'history of what?'],
  ['cvol/none', 4, 'is not found'],
  ['cacc/default --since soon', 2, '--since soon is no duration'],
  ['cacc/default --audit none.log', 2, 'cannot be read'],
  ['cacc/default --audit manifests.yaml', 2, 'has no line of an audit log'],
])('history %s is refused', async (line, exit, says) => {
  const ran = await asked(line);
  expect(ran.err).toContain(says);
  expect(ran.exit).toBe(exit);
});
