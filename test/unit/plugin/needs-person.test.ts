import { expect, it } from 'vitest';
import type { Resource } from '../../../src/engine/ports/kubernetes.ts';
import { needsPerson } from '../../../src/plugin/objects/facts.ts';

const waiting = (message: string, reason = 'ReferenceNotReady'): Resource =>
  ({
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudDomainRecord',
    metadata: { name: 'www', namespace: 'shop', uid: 'u', generation: 1 },
    spec: {},
    status: {
      observedGeneration: 1,
      conditions: ['Ready', 'Synced'].map((type) => ({ type, status: 'False', reason, message, observedGeneration: 1 })),
    },
  }) as never;

it.each([
  ['spec.domainRef: CloudDomain zone is in another account', true],
  ['spec.instanceRef: CloudInstance web has /vm/instances/1 no longer for itself: an object of another namespace has it', true],
  ['spec.domainRef: CloudDomain zone has no id yet', false],
  ['spec.domainRef: CloudDomain "zone is in another account" has no id yet', false],
])('%s: needs a person: %s', (message, expected) => {
  expect(needsPerson(waiting(message))).toBe(expected);
});
