import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStanding } from '../chaos/evidence/standing.ts';
import { companions, subjects } from '../chaos/tier1/subject.ts';
import { Cluster } from '../controlplane/cluster.ts';
import type { ControlPlane } from '../controlplane/control-plane.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { startControlPlane } from '../controlplane/start.ts';
import { followOutputs } from '../support/process/outputs-on-server.ts';
import { granted, used } from '../support/process/rbac-usage.ts';
import { releaseHeld } from '../support/process/release-held.ts';
import { isReady, Stage } from '../support/process/stage.ts';
import { plantedArgs } from '../support/samples/planted.ts';

/** Rights that a run like this one has no use for, and when they are used. A right that is in use must not stand here. */
const unneeded: readonly (readonly [right: RegExp, when: string])[] = [
  [/^\S+\.cloudhosting\.dev list$/, 'an API server streams no lists, and watches end with 410'],
  [/^cloud(objecturls|operations)\.cloudhosting\.dev get$/, 'what is issued, or done once, has no remote whose deletion is looked at live'],
  [/^cloudoperations\.cloudhosting\.dev delete$/, 'no sample has spec.ttlSecondsAfterFinished'],
];

/** Used only when an Event happens to repeat itself. */
const perhaps = /^events\.events\.k8s\.io patch$/;

/** Its own, because an operator that serves every namespace would serve those of the other suites. */
let controlPlane: ControlPlane;
let stage: Stage;
beforeAll(async () => {
  controlPlane = await startControlPlane();
  const cluster = new Cluster(controlPlane.coordinates);
  const values = { watchNamespaces: [] };
  stage = await Stage.open({ cluster, values, more: 1, emulator: ['--speed', '20', ...plantedArgs], flags: ['--list-lag=1s'] });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await stage.close();
  await controlPlane.stop();
});

const manifests = [...companions, ...subjects].map(({ kind, name, spec }) => ({ kind, name, spec }));

describe('an operator of the whole cluster', () => {
  it('makes, changes and deletes the samples, and sees a second namespace', { timeout: 400_000 }, async () => {
    for (const { secrets } of subjects) for (const [name, data] of Object.entries(secrets)) await stage.secret(name, data);
    for (const { configMaps } of subjects) for (const [name, data] of Object.entries(configMaps)) await stage.configMap(name, data);
    await stage.secret('cloud', { token: stage.emulator.ready.token });
    await stage.apply(...manifests.map(({ kind, name, spec }) => stage.manifest(kind, name, spec)));
    for (const { kind, name } of manifests) await stage.ready(kind, name, 60_000);

    for (const { kind, name, edits } of subjects) {
      const [edit] = Object.values(edits);
      await stage.patch(kind, name, { spec: edit });
      // Between two changes of a database there is a minute.
      await stage.ready(kind, name, 120_000);
    }

    await followOutputs(stage, 'db-data');

    const [, second = ''] = stage.namespaces;
    await stage.account('default', {}, 'token-admin', second);
    await stage.until(['CloudAccount', 'default', second], isReady, 60_000);
    const names = manifests.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`);
    // So many at once wait for a person, who does what the account says.
    await stage.cluster.kubectl(['delete', '--wait=false', '-n', stage.namespace, ...names]);
    await releaseHeld(stage.cluster, stage.namespace, 60_000);
    await stage.cluster.kubectl(['wait', '--for=delete', '--timeout=100s', '-n', stage.namespace, ...names]);
    await stage.cluster.kubectl(['delete', '--timeout=100s', '-n', second, 'cloudaccount/default']);
    const left = async (): Promise<readonly unknown[]> =>
      (await stage.emulator.alive()).filter(
        (life) => life.bornBy === 'admin' && isStanding(life) && !['events', 'tags'].includes(life.collection),
      );
    // The machines of a cluster's nodes go in the service's own time.
    await expect.poll(left, { timeout: 15_000, interval: 500 }).toEqual([]);
  });

  it('is forbidden nothing, and uses every right that it has', async () => {
    await stage.operator.program.stop();
    const mine = (await controlPlane.auditLog()).filter(({ user }) => user.username === stage.user);
    expect(mine.length).toBeGreaterThan(100);
    expect(mine.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
    const may = granted(stage.installed.objects, stage.installed.release);
    // What is granted everywhere is used in some namespace.
    const did = new Set([...used(mine, stage.user)].map((right) => (may.has(right) ? right : right.replace(/^\S+ (?=\S+ )/, ''))));
    expect([...did].filter((right) => !may.has(right) && !right.includes('selfsubject'))).toEqual([]);
    const unused = [...may].filter((right) => !did.has(right));
    expect(unused.filter((right) => !perhaps.test(right) && !unneeded.some(([known]) => known.test(right)))).toEqual([]);
    expect(unneeded.filter(([known]) => !unused.some((right) => known.test(right)))).toEqual([]);
  });
});
