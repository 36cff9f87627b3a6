import { expect, it } from 'vitest';
import { execute } from './run/execute.ts';
import { planned } from './campaign/plan.ts';
import { referenceOf } from './run/reference.ts';
import { judge } from './oracles/judge.ts';
import { fixturesOf, scenarioId, scenariosOf } from './scenario/scenario.ts';
import { plain } from './scenario/corner.ts';

/** One case of every defect that was found (FOUND.md), by its id. */
const cases = [
  'F4/CloudManagedService/create/cloud:GET_/managed/services#1/404-for-10-min',
  'F16/CloudDisk/create/its-job-ends',
  'F3/CloudOperation/create.onto/cloud:POST_/vm/instances/{id}/backups/{id}/restore#1/twice',
  'F4/CloudImage/create.upload/cloud:PUT_/image-uploads/{id}#1/429-after-30-s',
  'F4/CloudNodePool/delete/cloud:GET_/lke/clusters/{id}/pools#1/503-maintenance-for-10-min',
  'F4/CloudNodePool/delete/cloud:GET_/lke/clusters/{id}/pools#1/wrong-type',
  'F16/CloudNodePool/create/nothing-happens',
  'F2/CloudObjectKey/rotate/kube:PATCH_secrets/uploads-cokey#1/before',
  'F16/CloudStackScript/create/a-namesake-comes-while-in-doubt',
  'F16/CloudStackScript/create/made-by-hand-while-the-operator-is-down',
  'F16/CloudSSHKey/create/made-by-hand-between-two-lost-creates',
  'F16/CloudDomainRecord/create/a-refused-change-is-touched',
  'F16/CloudDomainRecord/create/a-refused-deletion-is-touched',
  'F16/CloudBucket/create/a-mass-is-replaced-at-once',
  'F16/CloudBucket/create/a-refused-secret-is-rotated',
  'F16/CloudSSHKey/create/rebuilt-with-recover',
  'F1/CloudVolume/create/cloud:POST_/volumes#1/commit',
  'F1/CloudVolume/create/kube:PATCH_cloudvolumes/db-data_add-remote_remove-intent#1/before',
  'F4/CloudVolume/delete/cloud:DELETE_/volumes/{id}#1/503-for-10-min',
  'F4/CloudDomainRecord/update.host/cloud:PUT_/domains/{id}/records/{id}#1/404-for-10-min',
  'F4/CloudDomainRecord/update.host/cloud:PUT_/domains/{id}/records/{id}#1/503-maintenance-for-10-min',
  'F4/CloudDomain/update.type/cloud:PUT_/domains/{id}#1/400-busy-for-10-min',
  'F9/CloudVolume/update.sizeGiB/cloud:GET_/account/events#3/status-wiped',
  'F9/CloudVolume/update.sizeGiB/cloud:GET_/volumes/{id}#1/annotations-dropped',
  'F5/CloudDomain/create/kube:PATCH_clouddomains/example-org/status#1/late',
  'F4/CloudBucket/update.acl/cloud:POST_/object-storage/buckets/eu-central-1/shop-assets-5oua7hkz/access#1/500-for-10-min',
  'F6/CloudDomainRecord/create/kube:POST_events#2/dropped',
  'F9/CloudDomainRecord/create/kube:POST_events#1/annotations-dropped',
  'F9/CloudDatabaseBackup/create/cloud:POST_/databases/mysql/instances/{id}/backups#1/annotations-dropped',
  'F4/CloudAccount/create/cloud:PUT_/account#1/401-for-10-min',
  'F8/CloudVolume/create/ready/recreated',
  'F8/CloudDomainRecord/update.host.2/cloud:PUT_/domains/{id}/records/{id}#1/deleted',
  'F12/CloudDomainRecord/create.domainRef/deleted-while-used',
  'F4/CloudSSHKey/delete/cloud:GET_/profile/sshkeys/{id}#1/429-after-30-s-for-10-min',
  'F14/CloudVolume/create.edits/sizeGiB/refused-and-back',
  'F17/CloudDomainRecord/create/cloud:POST_/domains/{id}/records#1/timeout',
  'F17/CloudDomainRecord/create/token-revoked',
  'F17/CloudInstance/update.type/cloud:GET_/vm/instances/{id}#1/malformed',
  'F4/CloudSupportTicket/update.attachments.2/cloud:POST_/support/tickets/{id}/attachments#2/503-maintenance-for-10-min',
  'F3/CloudInstance/update.image/cloud:POST_/vm/instances/{id}/rebuild#1/cut-and-committed-late',
  'F4/CloudAccount/update.contact/cloud:PUT_/account#1/500-for-10-min',
  'F4/CloudAccount/update.contact/cloud:PUT_/account#1/400-busy-for-10-min',
  'F4/CloudKubernetesCluster/create/cloud:GET_/lke/clusters/{id}/kubeconfig#1/502-html-for-10-min',
  'F4/CloudAccount/update.contact/cloud:PUT_/account#1/503-maintenance-for-10-min',
  'F4/CloudDomain/update.enabled/cloud:PUT_/domains/{id}#1/429-for-10-min',
  'F4/CloudOAuthClient/rotate/cloud:POST_/account/oauth-clients/a08ff49b6f772632716c/reset-secret#1/400-busy-for-10-min',
  'F16/CloudDomain/create/a-copy-comes-while-in-doubt-and-its-event-late',
  'F2/CloudAccount/create/cloud:GET_/profile#1/takeover',
  'F16/CloudDomainRecord/create/applied-while-the-CRDs-cannot-be-read',
  'F16/CloudFirewall/create/a-mass-is-lost-one-by-one',
  'F16/CloudSSHKey/create/the-approval-of-a-replacement-is-taken-away-alone',
  'F16/CloudFirewall/create/parts-are-odd',
  'F16/CloudDomainRecord/create/a-pause-with-an-end-outlives-its-annotation',
  'F16/CloudDomainRecord/create/the-account-is-paused',
  'F16/CloudDomainRecord/create/two-releases-without-a-selector',
  'F16/CloudDomainRecord/create/the-token-is-replaced-by-one-that-is-not-valid',
  'F16/CloudDomainRecord/create/renamed-before-the-old-one-is-deleted',
  'F16/CloudDomainRecord/create/deleted-with-its-parent',
  'F16/CloudFirewall/create/the-other-direction-is-edited-at-the-same-moment',
  'F12/CloudDomain/create.cloneFrom/replaced',
  'F12/CloudIPShare/create.instanceRef/replaced',
  'F5/CloudSupportTicket/delete/kube:PATCH_cloudsupporttickets/more-addresses_no-finalizers#1/422',
  'F12/CloudVolume/create.volumeRef/refers-to-itself',
  'F12/CloudVolume/create.volumeRef/refers-to-each-other',
  'F1/CloudKubernetesCluster/create@lag60/kube:PATCH_secrets/prod-ck8s#1/before',
  'F4/CloudDatabaseBackup/create/cloud:GET_/databases/mysql/instances/{id}/backups#2/missing-field-for-10-min',
  'F8/CloudDisk/update.label/cloud:PUT_/vm/instances/{id}/disks/{id}#1/deleted',
  'F12/CloudManagedInstanceSettings/create.instanceRef/deleted-while-used',
  'F16/CloudDomainRecord/create/changed-outside',
  'F16/CloudDomainRecord/create/changed-while-the-operator-was-away',
  'F16/CloudVolume/create/its-event-comes-after-a-later-one',
  'F17/CloudIPAddress/create/kube:PATCH_cloudipaddresses/mail_add-remote_remove-intent#1/403',
  'F2/CloudKubernetesCluster/update.nodePools.5/cloud:GET_/lke/clusters/{id}/dashboard#1/takeover',
];

it.each(cases)('%s', { timeout: 120_000 }, async (id) => {
  const plan = await planned({ case: id });
  expect(plan.cases.map(({ one }) => one.id)).toEqual([id]);
  for (const one of plan.cases) expect((await execute(one)).violations).toEqual([]);
});

/** Defects that needed no fault at all: the recorded run itself broke an oracle. */
it.each(['CloudVolume/update.instanceRef', 'CloudVolume/update.sizeGiB'])('%s, without a fault', { timeout: 120_000 }, async (id) => {
  const scenario = fixturesOf('CloudVolume')
    .flatMap((fixture) => scenariosOf(fixture, plain))
    .find((one) => scenarioId(one) === id);
  if (scenario === undefined) throw new Error(`${id} is no scenario any more`);
  const reference = await referenceOf(scenario);
  if ('skipped' in reference) throw new Error(reference.skipped);
  const { evidence } = reference;
  expect(judge({ scenario, run: evidence, reference: evidence, excuse: {} })).toEqual([]);
  expect(evidence.doneAt - evidence.beganAt).toBeLessThan(30_000);
});
