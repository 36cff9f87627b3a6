import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { group, version } from '../../src/generate/names.ts';
import { planner, plannerPolicySpec, plannerRules } from '../../src/generate/chart/planner.ts';
import { kinds } from '../../src/generated/kinds.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { Stage } from '../support/process/stage.ts';
import { Typed } from '../support/process/typed.ts';

let stage: Stage;
let plugin: Typed;
let token: string;
/** Beside other tests on the same control plane. */
let name: string;
beforeAll(async () => {
  stage = await Stage.open({ emulator: ['--speed', '20'] });
  name = `${stage.namespace}-planner`;
  await stage.account();
  await stage.ready('CloudAccount', 'default');
  plugin = await Typed.on(stage);
  token = stage.cluster.user(name);
  await stage.apply(
    { apiVersion: admission, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: plannerPolicySpec(kinds) },
    {
      apiVersion: admission,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        validationActions: ['Deny'],
        matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': stage.namespace } } },
      },
    },
    { apiVersion: rbac, kind: 'ClusterRole', metadata: { name }, rules: plannerRules(kinds) },
    binding(name, name),
  );
  await stage.apply(stage.manifest('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' }));
  await stage.ready('CloudInstance', 'web');
  // A policy takes effect some moments after it was stored.
  await vi.waitFor(inForce, 30_000);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await stage.cluster.kubectl(['delete', 'validatingadmissionpolicies,validatingadmissionpolicybindings,clusterroles', name]);
  await stage.close();
});

const admission = 'admissionregistration.k8s.io/v1';
const rbac = 'rbac.authorization.k8s.io/v1';
const binding = (user: string, role: string): object => ({
  apiVersion: rbac,
  kind: 'RoleBinding',
  metadata: { name: `${user}-${role}`, namespace: stage.namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
});
const below = (): string => `/apis/${group}/${version}/namespaces/${stage.namespace}`;
const volumes = (): string => `${below()}/cloudvolumes`;
const volume = (of: string): object => stage.manifest('CloudVolume', of, { region: 'eu-central', sizeGiB: 20 });
const web = (): string => `${below()}/cloudinstances/web`;

async function asPlanner(method: string, path: string, body?: object, as = token): Promise<{ status: number; message: string }> {
  const answer = await stage.cluster.request<{ message?: unknown }>(method, path, {
    token: as,
    ...(body && { body }),
    ...(method === 'PATCH' && { contentType: 'application/merge-patch+json' }),
  });
  return { status: answer.status, message: String(answer.body.message ?? '') };
}

const inForce = async (): Promise<void> => {
  const refused = await asPlanner('POST', volumes(), volume('early'));
  if (refused.status !== 403) throw new Error('the policy is not in force yet');
};

describe('who has the role of a planner', () => {
  it('plans manifests against the cluster, with the verdict of the API server and without any Secret', async () => {
    const file = join(stage.folder, 'change.yaml');
    const bigger = stage.manifest('CloudInstance', 'web', { region: 'eu-central', type: 'g6-standard-1' });
    await writeFile(file, [bigger, volume('young')].map((one) => JSON.stringify(one)).join('\n---\n'));
    const { code, stdout, stderr } = await plugin.line(`plan -f ${file} --against cluster -o json`, token);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`only objects of ${stage.namespace} are seen`) as string });
    const { data } = JSON.parse(stdout) as { data: { objects: { action: string; effect?: string }[] } };
    expect(data.objects).toMatchObject([{ action: 'change', effect: 'Reboot', needsApproval: true }, { action: 'create' }]);
    await writeFile(file, JSON.stringify(stage.manifest('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1' })));
    const refused = await plugin.line(`plan -f ${file} --against cluster`, token);
    expect({ code: refused.code, out: refused.stdout }).toEqual({
      code: 4,
      out: expect.stringContaining('region cannot be changed after creation') as string,
    });
  });

  it('is refused all else: by the policy what the same rights would allow, and by RBAC the rest', async () => {
    const generation = (await stage.find('CloudInstance', 'web'))?.metadata.generation;
    const resized = { spec: { type: 'g6-standard-1' } };
    const approved = { metadata: { annotations: { [`${group}/approve`]: 'x' } } };
    for (const answer of [
      await asPlanner('POST', volumes(), volume('real')),
      await asPlanner('PATCH', web(), resized),
      await asPlanner('PATCH', web(), approved),
    ])
      expect(answer).toEqual({ status: 403, message: expect.stringContaining('only dry runs are admitted') as string });
    const core = `/api/v1/namespaces/${stage.namespace}`;
    for (const [method, path, body] of [
      ['DELETE', web()],
      ['DELETE', `${web()}?dryRun=All`],
      ['DELETE', volumes()],
      ['PUT', web(), await stage.find('CloudInstance', 'web')],
      ['PATCH', `${web()}/status`, { status: {} }],
      ['GET', `${core}/secrets`],
      ['GET', `${core}/secrets/cloud-token`],
      ['GET', `${core}/pods`],
      ['POST', `${core}/configmaps`, { metadata: { name: 'x' } }],
    ] as const)
      expect(await asPlanner(method, path, body)).toEqual({ status: 403, message: expect.stringContaining(' cannot ') as string });
    expect((await stage.find('CloudInstance', 'web'))?.metadata).toMatchObject({ generation });
    expect(await stage.find('CloudVolume', 'real')).toBeUndefined();
    expect(await asPlanner('PATCH', `${web()}?dryRun=All`, resized)).toMatchObject({ status: 200 });
  });

  it('writes where another role lets him update, and nobody else is held up', async () => {
    const editor = stage.cluster.user(`${name}-too`);
    const role = {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: { name: `${name}-edit` },
      rules: [{ ...plannerRules(kinds)[0], verbs: ['update'] }],
    };
    await stage.apply(role, binding(`${name}-too`, name), binding(`${name}-too`, `${name}-edit`));
    const label = { metadata: { labels: { seen: 'yes' } } };
    await vi.waitFor(async () => expect(await asPlanner('PATCH', web(), label, editor)).toMatchObject({ status: 200 }), 10_000);
    await stage.cluster.kubectl(['delete', 'clusterrole', `${name}-edit`]);
    await stage.patch('CloudInstance', 'web', { metadata: { labels: { seen: 'administrator' } } });
    await stage.ready('CloudInstance', 'web');
  });

  it('gets the role with its policy, wherever it comes from', () => {
    expect(planner(kinds).map(({ kind }) => kind)).toEqual([
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
      'ClusterRole',
    ]);
  });
});
