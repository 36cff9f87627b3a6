import { abandonmentValue } from '../../../src/engine/model/abandonment.ts';
import type { Resource } from '../../../src/engine/ports/kubernetes.ts';
import { contexts, endpoint } from './cloud-cli.ts';
import { World } from '../world/world.ts';

/** What no output may ever show: the caller's token, and what Secrets hold. */
export const canaries = { token: 'Canary-Token-5f1c', secret: 'Canary-Horse-9-Battery', card: '4111111111111112' };

const at = `--endpoint ${endpoint}`;
/** With the caller's own token. */
const own = `--token-file token.txt ${at}`;
const euuid = 'E1AF5EEC-526F-487D-B317EBEB34C87D71';
const expecting = (text: string): string => `--confirm ${text} --expect-account ${euuid}`;

/**
 * Lines of every verb that has something to do in the scene. The first needs no answer and no flag that stands for one;
 * `said`: the words that make it go on without a terminal, where it asks.
 */
export const lines: Readonly<Record<string, { readonly lines: readonly string[]; readonly said?: string }>> = {
  status: { lines: ['status', 'status cacc/default'] },
  why: { lines: ['why cinst/web', 'why cinst --steps', `why cacc/default --against account ${at}`] },
  tree: { lines: ['tree --secrets --depth 1', 'tree cinst/web --down'] },
  wait: { lines: ['wait cinst/web', 'wait cinst --timeout=5s', 'wait cvol/paused --timeout=5s'] },
  orphans: { lines: [`orphans ${at}`, `orphans --all --fail --kinds cdom,crec,cvol --older-than 30d --cost ${at}`] },
  export: {
    lines: [`export --to - ${at}`, `export --to fleet --kinds cdom,crec --management Manage ${at}`, `export --check manifests.yaml ${at}`],
  },
  import: {
    lines: [
      `import terraform state.json --to - ${at}`,
      `import terraform state.json --to fleet --forget tf --with-image --link --kustomization ${at}`,
    ],
  },
  cost: { lines: [`cost ${at}`, `cost --unmanaged --by kind ${at}`, `cost --by account ${at}`] },
  history: { lines: [`history cinst/web ${at}`, `history cvol/gone --since 1h ${at}`] },
  plan: {
    lines: [
      `plan cvol/paused ${at}`,
      'plan -f manifests.yaml --against cluster',
      `plan -f manifests.yaml ${at}`,
      `plan -l is=paused ${at} -o markdown`,
    ],
  },
  get: { lines: [`get regions ${at}`, `get object-keys ${at}`, `get regions us-east ${at}`] },
  events: { lines: [`events ${at}`, `events --since 1h --user admin --failed --kind cvol ${at}`] },
  logins: { lines: [`logins ${at}`] },
  regions: { lines: [`regions ${at}`] },
  types: { lines: [`types --max-usd 20 ${at}`, `types --region us-east ${at}`] },
  images: { lines: [`images ${at}`] },
  versions: { lines: [`versions ${at}`] },
  engines: { lines: [`engines ${at}`] },
  invoices: { lines: [`invoices ${at}`] },
  payments: { lines: [`payments ${at}`] },
  'payment-methods': { lines: [`payment-methods ${at}`] },
  transfers: { lines: [`transfers ${at}`, `transfers --deprecated-api ${at}`] },
  vlans: { lines: [`vlans ${at}`] },
  zone: { lines: [`zone example.org ${at}`] },
  objects: { lines: [`objects us-east-1/assets ${at}`] },
  diff: { lines: [`diff cacc/default --against account ${at}`, 'diff cinst/web'] },
  outputs: { lines: ['outputs cinst/web', 'outputs cokey/uploads'] },
  schema: { lines: ['schema cvol'] },
  doctor: { lines: [`doctor --account ${at}`, 'doctor -A --strict', 'doctor --gitops --recovery --as-ci'] },
  bundle: { lines: ['bundle --to one.tar.gz', 'bundle -A --no-names --to two.tar.gz'] },
  move: {
    lines: ['move cvol/kept --to-context there --timeout 5s', 'move -l is=kept --to-context there --timeout 5s'],
    said: '--confirm kept',
  },
  uninstall: { lines: ['uninstall --strip', 'uninstall --strip -A'], said: '--confirm 2' },
  version: { lines: ['version'] },
  completion: { lines: ['completion kubectl'] },
  approve: { lines: ['approve cinst/web', 'approve cinst --reason sale'], said: '--yes' },
  release: { lines: ['release'], said: '--confirm 1' },
  abandon: { lines: ['abandon cvol/unseen', 'abandon cvol -l is=unseen'], said: '--confirm unseen' },
  recreate: { lines: ['recreate cvol/gone', 'recreate cvol -l is=gone'], said: '--confirm gone' },
  rotate: { lines: ['rotate cokey/uploads', 'rotate cokey'], said: '--confirm uploads' },
  pause: { lines: ['pause cvol/gone --reason test', 'pause cdom'] },
  resume: { lines: ['resume cvol/paused', 'resume cvol -l is=paused'], said: '--yes' },
  ops: { lines: ['ops --prune', 'ops --prune -A --older-than 7d'], said: '--yes' },
  confirm: { lines: ['confirm cop/asks'], said: '--confirm web' },
  ...Object.fromEntries(
    [
      'reboot cinst/web --config 1000',
      'boot cinst/web',
      'shutdown cinst/web',
      // One of the same waits for a confirmation there: it would be taken up.
      'rebuild cinst/web --name anew',
      'snapshot cinst/web --label before',
      'restore cinst/web --backup 12 --overwrite',
      'patch cdb/shop',
      'reset-credentials cdb/shop',
      'recycle ck8s/prod --node 1-a',
      'delete-node ck8s/prod --node 1-a',
      'regenerate ck8s/prod',
      'assign cinst/web --address 203.0.113.7=web',
    ].map((line) => [line.split(' ')[0] ?? '', { lines: [`${line} --no-wait`], said: '--yes' }]),
  ),
  pay: { lines: [`pay --usd 20.00 --cvv-from cvv.txt ${own}`], said: expecting('20.00') },
  'payment-method': {
    lines: [`payment-method add --card-from card.json ${own}`, `payment-method make-default 1000 ${own}`],
    said: expecting('add'),
  },
  promo: { lines: [`promo add WELCOME50 ${own}`], said: expecting('WELCOME50') },
  transfer: { lines: [`transfer create 1000 ${own}`], said: expecting('1000') },
  account: { lines: [`account cancel --leave-objects ${own}`], said: expecting(euuid) },
  'object-storage': { lines: [`object-storage cancel --leave-objects ${own}`], said: expecting('1') },
  'mark-events': { lines: [`mark-events seen 100000 ${own}`] },
  api: { lines: [`api POST /longview/clients --write ${own}`], said: '--confirm /longview/clients' },
  reconcile: { lines: ['reconcile cvol/gone', 'reconcile cvol'] },
};

const finalizers = ['cloudhosting.dev/remote'];
const now = '2026-01-01T00:00:00Z';
const condition = (type: string, status: string, reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
  observedGeneration: 1,
  lastTransitionTime: now,
});
const conditions = (reason: string, message: string, stalled = false) => [
  condition('Ready', 'False', reason, message),
  condition('Synced', 'False', reason, message),
  condition('Reconciling', stalled ? 'False' : 'True', reason, ''),
  condition('Stalled', stalled ? 'True' : 'False', reason, message),
];

/** A cluster without an operator, in which every verb has something to say or to do. */
export async function scene(): Promise<World> {
  const world = await World.create();
  world.server.addUser(canaries.token, { name: 'caller' });
  world.server.setGrants([everything]);
  await world.secret('root', { password: canaries.secret });
  await world.account();
  const held = [{ namespace: 'team-a', count: 1, release: 'abc-defghijk', message: '1 of 4 objects are being deleted at once' }];
  const well = ['Ready', 'Synced'].map((type) => condition(type, 'True', 'Available', ''));
  await status(world, 'CloudAccount', 'default', { conditions: well, user: 'ops', held, observedGeneration: 1 });
  for (const [path, body] of Object.entries(inAccount))
    await world.emulator.control.actAs({ username: 'admin', method: 'POST', path: `/v4${path}`, body });
  await instance(world);
  await volumes(world);
  await operated(world);
  await given(world);
  await movable(world);
  return world;
}

/** What the account has, whoever made it. */
const inAccount: Readonly<Record<string, object>> = {
  '/domains': { domain: 'example.org', type: 'master', soa_email: 'a@example.org' },
  '/object-storage/buckets': { label: 'assets', cluster: 'us-east-1' },
  '/object-storage/keys': { label: 'uploads' },
  // Beside the one that is there, so that which is charged can be changed.
  '/account/payment-methods': {
    type: 'credit_card',
    is_default: true,
    data: { card_number: '4111111111111111', cvv: '123', expiry_month: 12, expiry_year: 2030 },
  },
  '/vm/instances': { region: 'us-east', type: 'g6-nanode-1', label: 'alone' },
};

/** What can go to another cluster, which is made when a line goes there. */
async function movable(world: World): Promise<void> {
  await make(world, 'CloudVolume', 'kept', { region: 'eu-central', sizeGiB: 20 });
  const well = ['Ready', 'Synced'].map((type) => condition(type, 'True', 'Available', ''));
  await status(world, 'CloudVolume', 'kept', { conditions: well, observedGeneration: 1, path: '/volumes/9', id: '9', account: euuid });
  let other: Promise<World> | undefined;
  contexts.set(world, { there: () => (other ??= beside(world)) });
}
async function beside(world: World): Promise<World> {
  const other = await World.create({ beside: world });
  other.server.addUser(canaries.token, { name: 'caller' });
  other.server.setGrants([everything]);
  await other.account();
  const well = ['Ready', 'Synced'].map((type) => condition(type, 'True', 'Available', ''));
  await status(other, 'CloudAccount', 'default', { conditions: well, observedGeneration: 1, account: euuid });
  return other;
}

/** Of the caller, everywhere. */
const everything = { to: 'caller', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };

/** What gives out what is told once. */
async function given(world: World): Promise<void> {
  await make(world, 'CloudObjectKey', 'uploads', { bucketAccess: [] });
  const well = ['Ready', 'Synced'].map((type) => condition(type, 'True', 'Available', ''));
  await status(world, 'CloudObjectKey', 'uploads', {
    conditions: well,
    observedGeneration: 1,
    path: '/object-storage/keys/1',
    outputs: [{ kind: 'Secret', name: 'uploads' }],
  });
}

async function instance(world: World): Promise<void> {
  const secret = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
  await make(world, 'CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', ...secret });
  const plan = { hash: 'ad73444b3f', effect: 'Reboot', changes: ['spec.type: the account has a, wanted b'] };
  const why = 'Reboot needs approval';
  await status(world, 'CloudInstance', 'web', {
    conditions: conditions('ApprovalRequired', why),
    plan,
    observedGeneration: 1,
    path: '/vm/1',
  });
  // What operations on it name besides.
  const well = ['Ready', 'Synced'].map((type) => condition(type, 'True', 'Available', ''));
  await make(world, 'CloudInstanceConfig', 'web-rescue', { instanceRef: { name: 'web' }, devices: { sda: { diskRef: { name: 'root' } } } });
  await make(world, 'CloudInstance', 'web-2', { region: 'eu-central', type: 'g6-nanode-1', ...secret });
  await status(world, 'CloudInstanceConfig', 'web-rescue', { conditions: well, observedGeneration: 1, path: '/vm/1/configs/1' });
  await status(world, 'CloudInstance', 'web-2', { conditions: well, observedGeneration: 1, path: '/vm/2' });
}

async function volumes(world: World): Promise<void> {
  for (const name of ['gone', 'paused', 'unseen', 'held']) await make(world, 'CloudVolume', name, { region: 'eu-central', sizeGiB: 20 });
  const gone = '/volumes/1 is gone from the account';
  await status(world, 'CloudVolume', 'gone', {
    conditions: conditions('RemoteMissing', gone, true),
    path: '/volumes/1',
    observedGeneration: 1,
  });
  const paused = { until: '2027-01-01T00:00:00Z', at: now };
  await status(world, 'CloudVolume', 'paused', { conditions: conditions('Paused', 'paused'), paused, observedGeneration: 1 });
  const waitingFor = ['annotation cloudhosting.dev/release on CloudAccount team-a/default'];
  await status(world, 'CloudVolume', 'held', {
    conditions: conditions('DeletionHeld', 'held'),
    waitingFor,
    policy: 'Delete',
    path: '/volumes/3',
  });
  const unseen = (await world.get('CloudVolume', 'unseen')) as unknown as Resource;
  const how = `let it go: abandon=${abandonmentValue(unseen, '/volumes/2')}`;
  await status(world, 'CloudVolume', 'unseen', { conditions: conditions('RemoteNotVisible', how, true), path: '/volumes/2', id: '2' });
  for (const name of ['unseen', 'held']) await world.delete('CloudVolume', name);
}

/** What something is done to once, one that asks whether it may, and one that is over. */
async function operated(world: World): Promise<void> {
  await make(world, 'CloudDatabase', 'shop', { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-standard-1' });
  const nodePools = [{ name: 'base', type: 'g6-standard-2', count: 3 }];
  await make(world, 'CloudKubernetesCluster', 'prod', { region: 'eu-central', k8sVersion: '1.24', nodePools });
  await make(world, 'CloudOperation', 'asks', { action: 'RebuildInstance', target: { name: 'web' }, notAfter: '2026-01-02T00:00:00Z' });
  await status(world, 'CloudOperation', 'asks', {
    phase: 'AwaitingConfirmation',
    challenge: 'abcdefghij',
    consequences: ['all disks and configurations of /vm/1 are erased'],
  });
  const once = { action: 'RebootInstance', target: { name: 'web' }, notAfter: '2025-11-02T00:00:00Z' };
  await make(world, 'CloudOperation', 'over', once);
  await status(world, 'CloudOperation', 'over', { phase: 'Succeeded', finishedAt: '2025-11-01T00:00:00Z' });
}

const make = (world: World, kind: string, name: string, spec: object) =>
  world.admin('POST', world.path(kind), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind,
    metadata: {
      name,
      namespace: 'team-a',
      finalizers,
      labels: { is: name, ...(name === 'over' && { 'cloudhosting.dev/made-by': 'cli' }) },
    },
    spec,
  });

const status = (world: World, kind: string, name: string, seen: object) =>
  world.admin('PATCH', `${world.path(kind, 'team-a', name)}/status`, { status: seen });
