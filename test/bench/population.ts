/** Number -> the same text with a fixed width, so that names sort as they count. */
const number = (index: number): string => String(index).padStart(6, '0');

/** One custom resource, and the call that makes what it stands for in the account. */
export interface Member {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly post: { readonly path: string; readonly body: Readonly<Record<string, unknown>> };
  /** Its call is made below this member's object. */
  readonly parent?: Member;
}

const region = 'us-southeast';
const tags = ['bench'];
/** Base64 of a number in a key's body: no two keys are alike. */
const publicKey = (index: number): string =>
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${Buffer.from(number(index).padStart(33, 'k')).toString('base64').slice(0, 43)}`;

type Make = (index: number, namespace: string, parent: Member | undefined) => Member;

const make: Readonly<Record<string, Make>> = {
  CloudDomain: (index, namespace) => {
    const domain = `d${number(index)}.example`;
    return {
      kind: 'CloudDomain',
      namespace,
      name: `d${number(index)}`,
      spec: { domain, type: 'master', soaEmail: 'admin@example.org', tags },
      post: { path: '/domains', body: { domain, type: 'master', soa_email: 'admin@example.org', tags } },
    };
  },
  CloudDomainRecord: (index, namespace, parent) => {
    const record = { host: `r${number(index)}`, target: `203.0.113.${index % 250}` };
    return {
      kind: 'CloudDomainRecord',
      namespace,
      name: `r${number(index)}`,
      spec: { domainRef: { name: parent?.name ?? '' }, type: 'A', ...record, ttlSeconds: 300 },
      post: { path: '/records', body: { type: 'A', name: record.host, target: record.target, ttl_sec: 300 } },
      ...(parent && { parent }),
    };
  },
  CloudVolume: (index, namespace) => {
    const label = `v${number(index)}`;
    return {
      kind: 'CloudVolume',
      namespace,
      name: label,
      spec: { label, region, sizeGiB: 20, tags },
      post: { path: '/volumes', body: { label, region, size: 20, tags } },
    };
  },
  CloudSSHKey: (index, namespace) => {
    const label = `k${number(index)}`;
    return {
      kind: 'CloudSSHKey',
      namespace,
      name: label,
      spec: { label, publicKey: publicKey(index) },
      post: { path: '/profile/sshkeys', body: { label, ssh_key: publicKey(index) } },
    };
  },
  CloudFirewall: (index, namespace) => {
    const label = `f${number(index)}`;
    const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' };
    return {
      kind: 'CloudFirewall',
      namespace,
      name: label,
      spec: { label, inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', tags },
      post: { path: '/networking/firewalls', body: { label, rules, tags } },
    };
  },
  CloudInstance: (index, namespace) => {
    const label = `i${number(index)}`;
    const [type, image] = ['g6-nanode-1', 'vm/debian11'];
    return {
      kind: 'CloudInstance',
      namespace,
      name: label,
      spec: { label, region, type, image, rootPasswordSecretRef: { name: 'root', key: 'password' }, tags },
      post: { path: '/vm/instances', body: { label, region, type, image, root_pass: 'correct-Horse-7-battery', tags } },
    };
  },
  CloudBucket: (index, namespace) => {
    const label = `b${number(index)}`;
    return {
      kind: 'CloudBucket',
      namespace,
      name: label,
      spec: { label, cluster: 'us-east-1' },
      post: { path: '/object-storage/buckets', body: { label, cluster: 'us-east-1' } },
    };
  },
};

/** Of 100 objects, as an account of a company has them: mostly DNS. Buckets are few anywhere, and slow to plant. */
const mix: readonly (readonly [kind: string, share: number])[] = [
  ['CloudDomain', 3],
  ['CloudDomainRecord', 64],
  ['CloudVolume', 20],
  ['CloudSSHKey', 5],
  ['CloudFirewall', 3],
  ['CloudInstance', 5],
];

export const namespaces = ['team-a', 'team-b', 'team-c', 'team-d'];

export interface MembersOptions {
  readonly count: number;
  readonly in?: readonly string[];
  /** Of the first: a second group of members must not have the numbers of the first. */
  readonly from?: number;
  /** Of records; a domain for every so many. */
  readonly perDomain?: number;
}

/** `count` objects of one kind, dealt out to namespaces; records have domains, which are not counted. */
export function membersOf(kind: string, options: MembersOptions): readonly Member[] {
  const { count, in: spread = namespaces, from = 0, perDomain = 2000 } = options;
  const one = make[kind];
  if (one === undefined) throw new Error(`no population of ${kind}; there are: ${Object.keys(make).join(', ')}`);
  const parents =
    kind === 'CloudDomainRecord' ? membersOf('CloudDomain', { count: Math.ceil(count / perDomain), in: spread, from: from + 500_000 }) : [];
  const members = Array.from({ length: count }, (_, index) => {
    const parent = parents[index % parents.length];
    return one(from + index, parent?.namespace ?? spread[index % spread.length] ?? '', parent);
  });
  return [...parents, ...members];
}

/** `count` objects of all kinds. */
export function mixed(count: number): readonly Member[] {
  const domains = membersOf('CloudDomain', { count: Math.max(1, Math.round(count * 0.03)) });
  const others = mix.filter(([kind]) => kind !== 'CloudDomain' && kind !== 'CloudDomainRecord');
  const rest = others.flatMap(([kind, share]) => membersOf(kind, { count: Math.round((count * share) / 100) }));
  const records = Array.from({ length: count - domains.length - rest.length }, (_, index) => {
    const parent = domains[index % domains.length];
    return make['CloudDomainRecord']?.(index, parent?.namespace ?? '', parent);
  });
  return [...domains, ...rest, ...records.filter((record) => record !== undefined)];
}
