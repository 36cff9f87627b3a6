import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../src/telemetry/metrics.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const build = { version: '1.2.3', commit: 'abc' };
const lines = async (metrics: Metrics): Promise<string[]> => (await metrics.text()).split('\n').filter((line) => !line.startsWith('#'));
const condition = (type: string, status: string, reason: string): object => ({ type, status, reason });

const volume = (namespace: string, account: string, ...conditions: object[]) => ({
  kind: 'CloudVolume',
  metadata: { namespace },
  status: { account, conditions },
});

describe('metrics', () => {
  it('counts turns and the queue under the names of controller-runtime', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    metrics.work.queued('CloudVolume', 'add', 0);
    metrics.work.queued('CloudVolume', 'add', 0);
    metrics.work.queued('CloudVolume', 'start', 1500);
    metrics.work.reconciled('CloudVolume', 'success', 250);
    metrics.work.queued('CloudVolume', 'done', 0);
    metrics.work.queued('CloudVolume', 'retry', 0);
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'controller_runtime_reconcile_total{controller="CloudVolume",result="success"} 1',
        'controller_runtime_reconcile_time_seconds_sum{controller="CloudVolume"} 0.25',
        'controller_runtime_active_workers{controller="CloudVolume"} 0',
        'workqueue_depth{name="CloudVolume"} 1',
        'workqueue_adds_total{name="CloudVolume"} 2',
        'workqueue_retries_total{name="CloudVolume"} 1',
        'workqueue_queue_duration_seconds_sum{name="CloudVolume"} 1.5',
      ]),
    );
  });

  it('counts objects by condition at each scrape and forgets what is gone', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    let objects: { kind: string; status?: Record<string, unknown> }[] = [
      {
        kind: 'CloudVolume',
        status: { conditions: [condition('Ready', 'True', 'Available'), condition('Stalled', 'False', 'Available')] },
      },
      { kind: 'CloudVolume', status: { conditions: [condition('Ready', 'True', 'Available')] } },
      { kind: 'CloudBucket' },
    ];
    metrics.follow({ objects: () => objects, connections: () => [], accountLeases: () => [], owned: () => [] });
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'cloud_operator_objects{kind="CloudVolume",condition="Ready",status="True",reason="Available"} 2',
        'cloud_operator_objects{kind="CloudVolume",condition="Stalled",status="False",reason="Available"} 1',
        'cloud_operator_objects{kind="CloudBucket",condition="Ready",status="Unknown",reason="Unseen"} 1',
      ]),
    );
    objects = [];
    expect((await lines(metrics)).filter((line) => line.startsWith('cloud_operator_objects'))).toEqual([]);
  });

  it('says whom an object concerns that is not as wanted', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    const asks = [condition('Synced', 'False', 'ApprovalRequired'), condition('Stalled', 'False', 'ApprovalRequired')];
    const stalls = [condition('Synced', 'False', 'Rejected'), condition('Stalled', 'True', 'Rejected')];
    const objects = [
      volume('shop', 'E1', ...asks),
      volume('shop', 'E1', ...asks),
      volume('blog', 'E2', ...stalls),
      volume('blog', 'a name" with quotes', condition('Synced', 'Unknown', 'Paused')),
      volume('blog', 'E2', condition('Synced', 'True', 'Available')),
      { kind: 'CloudVolume', metadata: { namespace: 'blog' } },
    ];
    metrics.follow({ objects: () => objects, connections: () => [], accountLeases: () => [], owned: () => [] });
    expect((await lines(metrics)).filter((line) => line.startsWith('cloud_operator_objects_waiting'))).toEqual([
      'cloud_operator_objects_waiting{kind="CloudVolume",reason="ApprovalRequired",stalled="false",namespace="shop",account="E1"} 2',
      'cloud_operator_objects_waiting{kind="CloudVolume",reason="Rejected",stalled="true",namespace="blog",account="E2"} 1',
      'cloud_operator_objects_waiting{kind="CloudVolume",reason="Paused",stalled="false",namespace="blog",account=""} 1',
    ]);
  });
  it('bounds what thousands of namespaces make of it', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    const conditions = [condition('Synced', 'False', 'Busy')];
    const objects = Array.from({ length: 5000 }, (_, index) => ({
      kind: 'CloudVolume',
      metadata: { namespace: `team-${index}` },
      status: { conditions },
    }));
    metrics.follow({ objects: () => objects, connections: () => [], accountLeases: () => [], owned: () => [] });
    const shown = (await lines(metrics)).filter((line) => line.startsWith('cloud_operator_objects_waiting'));
    expect(shown).toHaveLength(2001);
    expect(shown.at(-1)).toBe(
      'cloud_operator_objects_waiting{kind="CloudVolume",reason="Busy",stalled="false",namespace="(others)",account="(others)"} 3000',
    );
    expect(await metrics.text()).toMatch(/^# HELP cloud_operator_objects_waiting .*\(others\)/m);
  });
  it('says what owners of accounts should know, the worst of several of one namespace', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    const account = { namespace: 'shop', account: 'E1', readOnly: false, missingScopes: 2, maintenance: 0, held: 0 };
    const owned = [account, { ...account, readOnly: true, missingScopes: 0 }];
    metrics.follow({ objects: () => [], connections: () => [], accountLeases: () => [], owned: () => owned });
    const labels = '{namespace="shop",account="E1"}';
    expect((await lines(metrics)).filter((line) => line.includes(labels))).toEqual([
      `cloud_operator_account_read_only${labels} 1`,
      `cloud_operator_account_missing_scopes${labels} 2`,
      `cloud_operator_account_maintenance${labels} 0`,
      `cloud_operator_account_held${labels} 0`,
    ]);
  });

  it('does not let a forged condition become a label', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    const objects = [{ kind: 'CloudVolume', status: { conditions: [condition('Ready', 'True', 'volume shop/data-1')] } }];
    metrics.follow({ objects: () => objects, connections: () => [], accountLeases: () => [], owned: () => [] });
    expect(await metrics.text()).not.toContain('data-1');
  });

  it('shows calls, windows, lanes and ages of each account', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    metrics.account.called({ method: 'POST', template: '/volumes/{id}/attach', status: 200, seconds: 0.2 });
    const connection = { account: 'E1', eventsLag: 4, snapshotAge: 120, queueAge: { edit: 0.5 } };
    metrics.account.budget('E1', 'read', 90);
    metrics.follow({
      objects: () => [],
      connections: () => [connection, { account: 'E1', eventsLag: 2 }],
      accountLeases: () => [{ held: true }, { held: false }],
      owned: () => [],
    });
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'cloud_operator_api_calls_total{method="POST",path="/volumes/{id}/attach",status="200"} 1',
        'cloud_operator_events_lag_seconds{account="E1"} 4',
        'cloud_operator_snapshot_age_seconds{account="E1"} 120',
        'cloud_operator_budget_queue_age_seconds{account="E1",lane="edit"} 0.5',
        'cloud_operator_budget_left{account="E1",class="read"} 90',
        'cloud_operator_account_leases{held="true"} 1',
        'cloud_operator_account_leases{held="false"} 1',
      ]),
    );
  });

  it('says who leads, which CRDs do not fit and which build it is', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    metrics.leading('cloud-operator', true);
    metrics.mismatched(['CloudVolume']);
    metrics.requested({ code: '409', method: 'PATCH', host: '10.0.0.1:443' });
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'leader_election_master_status{name="cloud-operator"} 1',
        'cloud_operator_crd_mismatch{kind="CloudVolume"} 1',
        'rest_client_requests_total{code="409",method="PATCH",host="10.0.0.1:443"} 1',
        `cloud_operator_build_info{version="1.2.3",commit="abc",node="${process.version}"} 1`,
      ]),
    );
  });

  it('shows from the start what alerts wait for', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    metrics.begin(['CloudVolume'], 'cloud-operator');
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'controller_runtime_reconcile_panics_total{controller="CloudVolume"} 0',
        'leader_election_master_status{name="cloud-operator"} 0',
      ]),
    );
  });

  it('tells of its own process when it is asked to', async () => {
    const metrics = new Metrics(build, new VirtualClock());
    const names = async (): Promise<string> => (await lines(metrics)).join(' ');
    expect(await names()).not.toContain('nodejs_heap_size_used_bytes');
    metrics.watchProcess();
    expect(await names()).toMatch(/process_cpu_seconds_total .*nodejs_eventloop_lag_p99_seconds .*nodejs_heap_size_used_bytes /);
  });
});
