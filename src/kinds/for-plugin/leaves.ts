import type { Call, Row } from '../../resource/index.ts';

interface Device {
  readonly id: number;
  readonly entity: { readonly id: unknown; readonly type: string };
}

/**
 * What a call leaves of a remote, where another one follows for the same field, or before it can be deleted: what comes next is
 * then decided by the kind itself. Of every other call the field that it is for counts as put right. Only who shows what would
 * be done needs it.
 */
const rows: Readonly<Record<string, (remote: Row, call: Call) => Row | undefined>> = {
  // It is shut down to be resized, and whether it is booted again is for `power` to say; a rebuild says so itself.
  CloudInstance: (remote, { path, body }) => {
    if (path.endsWith('/resize')) return { ...remote, type: body?.['type'], status: 'offline' };
    if (!path.endsWith('/rebuild')) return undefined;
    return { ...remote, image: body?.['image'], status: body?.['booted'] === false ? 'offline' : 'running' };
  },
  CloudVolume: (remote, { path }) => (path.endsWith('/detach') ? { ...remote, vm_id: null, vm_label: null } : undefined),
  // Of a range it is not told here to which address of its next instance it is routed.
  CloudIPAddress: (remote, { path, body }) => {
    const [assigned] = path.endsWith('/assign') ? ((body?.['assignments'] ?? []) as readonly { readonly vm_id: unknown }[]) : [];
    if (assigned === undefined) return undefined;
    return 'range' in remote ? { ...remote, route_target: undefined, vms: [assigned.vm_id] } : { ...remote, vm_id: assigned.vm_id };
  },
  CloudFirewall: (remote, { method, path, body }) => {
    const devices = (remote['devices'] ?? []) as readonly Device[];
    const [, removed] = /\/devices\/(\d+)$/.exec(path) ?? [];
    if (method === 'DELETE' && removed !== undefined) return { ...remote, devices: devices.filter(({ id }) => String(id) !== removed) };
    if (method !== 'POST' || !path.endsWith('/devices')) return undefined;
    const id = 1 + Math.max(0, ...devices.map((device) => device.id));
    return { ...remote, devices: [...devices, { id, entity: { id: body?.['id'], type: 'vm' } }] };
  },
  CloudKubernetesCluster: (remote, { method, path, body = {} }) => {
    const pools = (remote['pools'] ?? []) as readonly { readonly id: number }[];
    const [, below, id] = /\/pools(\/(\d+))?$/.exec(path) ?? [];
    if (id === undefined && below === undefined && !path.endsWith('/pools')) return undefined;
    if (method === 'DELETE') return { ...remote, pools: pools.filter((pool) => String(pool.id) !== id) };
    if (method === 'PUT') return { ...remote, pools: pools.map((pool) => (String(pool.id) === id ? poolAfter(pool, body) : pool)) };
    const { count } = body;
    const made = { autoscaler: { enabled: false, min: count, max: count }, disks: [], tags: [], nodes: [] };
    return { ...remote, pools: [...pools, { ...poolAfter(made, body), id: 1 + Math.max(0, ...pools.map((pool) => pool.id)) }] };
  },
};

/** What the call does not say of its autoscaler stays. Nodes to come count as ready: what waits for them is not told by a plan. */
function poolAfter<Pool extends Row>(pool: Pool, body: Row): Pool & Row {
  const [before, sent] = [pool['autoscaler'] as Row, body['autoscaler'] as Row | undefined];
  const nodes = (pool['nodes'] ?? []) as readonly Row[];
  const { count = nodes.length } = body as { readonly count?: number };
  const grown = Array.from({ length: count }, (_, at) => ({ id: String(at), status: 'ready' }));
  return { ...pool, ...body, autoscaler: { ...before, ...sent }, nodes: count > nodes.length ? grown : nodes };
}

export const leaves = (kind: string, remote: Row, call: Call): Row | undefined => rows[kind]?.(remote, call);
