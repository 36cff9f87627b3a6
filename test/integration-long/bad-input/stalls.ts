import type { Row } from '../../../src/resource/index.ts';
import { merged } from '../../conformance/case.ts';
import { subjects } from '../../chaos/tier1/subject.ts';

/** A spec that admission cannot judge, because only the account knows. */
export interface Stalls {
  readonly why: string;
  readonly kind: string;
  readonly spec: Row;
  readonly reason: string;
  /** Words of the condition: the spec field, what was seen, what to do. */
  readonly says: readonly string[];
}
/** The sample of a kind with a change. */
export const sampled = (kind: string, change: Row): Row => merged(subjects.find((one) => one.kind === kind)?.spec ?? {}, change);
export const stalls: readonly Stalls[] = [
  {
    why: 'a region that does not exist',
    kind: 'CloudVolume',
    spec: sampled('CloudVolume', { instanceRef: undefined, region: 'mars-1' }),
    reason: 'InvalidSpec',
    says: ['spec.region'],
  },
  {
    why: 'a capacity beyond all limits',
    kind: 'CloudVolume',
    spec: sampled('CloudVolume', { sizeGiB: 100_000 }),
    reason: 'Rejected',
    says: ['spec.sizeGiB'],
  },
  {
    why: 'a type that does not exist',
    kind: 'CloudInstance',
    spec: sampled('CloudInstance', { type: 'g9-nope-1' }),
    reason: 'InvalidSpec',
    says: ['spec.type'],
  },
  {
    why: 'an image that does not exist',
    kind: 'CloudInstance',
    spec: sampled('CloudInstance', { image: 'vm/debian1' }),
    reason: 'InvalidSpec',
    says: ['spec.image'],
  },
  {
    why: 'a region that does not exist',
    kind: 'CloudInstance',
    spec: sampled('CloudInstance', { region: 'mars-1' }),
    reason: 'InvalidSpec',
    says: ['spec.region'],
  },
  {
    why: 'a password that is too weak',
    kind: 'CloudInstance',
    spec: sampled('CloudInstance', { rootPasswordSecretRef: { name: 'weak', key: 'password' } }),
    reason: 'Rejected',
    says: ['spec.rootPasswordSecretRef'],
  },
  {
    why: 'a cluster that does not exist',
    kind: 'CloudBucket',
    spec: sampled('CloudBucket', { cluster: 'mars-1' }),
    reason: 'InvalidSpec',
    says: ['spec.cluster'],
  },
  {
    why: 'a domain that somebody else has',
    kind: 'CloudDomain',
    spec: sampled('CloudDomain', { domain: 'taken.example' }),
    reason: 'AlreadyExists',
    says: ['spec.adopt'],
  },
  {
    why: 'an adoption of what is not there',
    kind: 'CloudDomain',
    spec: sampled('CloudDomain', { domain: 'gone.example', adopt: { id: 4711 } }),
    reason: 'RemoteMissing',
    says: ['spec.adopt'],
  },
  {
    why: 'an alias beside other records',
    kind: 'CloudDomainRecord',
    spec: sampled('CloudDomainRecord', { type: 'CNAME', target: 'shop.example.net' }),
    reason: 'Rejected',
    says: ['spec.'],
  },
  {
    why: 'a label that another object has',
    kind: 'CloudFirewall',
    spec: sampled('CloudFirewall', { label: 'edge', instanceRefs: [] }),
    reason: 'AlreadyExists',
    says: ['spec.adopt'],
  },
  {
    why: 'an endpoint that nobody configured',
    kind: 'CloudAccount',
    spec: sampled('CloudAccount', { endpoint: 'nowhere' }),
    reason: 'InvalidSpec',
    says: ['spec.endpoint', 'nowhere', '--endpoint'],
  },
];
