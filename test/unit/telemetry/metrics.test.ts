import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../src/telemetry/metrics.ts';

const build = { version: '1.2.3', commit: 'abc' };
const lines = async (metrics: Metrics): Promise<string[]> => (await metrics.text()).split('\n').filter((line) => !line.startsWith('#'));
const condition = (type: string, status: string, reason: string): object => ({ type, status, reason });

describe('metrics', () => {
  it('counts turns and the queue under the names of controller-runtime', async () => {
    const metrics = new Metrics(build);
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
    const metrics = new Metrics(build);
    let objects: { kind: string; status?: Record<string, unknown> }[] = [
      {
        kind: 'CloudVolume',
        status: { conditions: [condition('Ready', 'True', 'Available'), condition('Stalled', 'False', 'Available')] },
      },
      { kind: 'CloudVolume', status: { conditions: [condition('Ready', 'True', 'Available')] } },
      { kind: 'CloudBucket' },
    ];
    metrics.follow({ objects: () => objects, connections: () => [] });
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

  it('does not let a forged condition become a label', async () => {
    const metrics = new Metrics(build);
    const objects = [{ kind: 'CloudVolume', status: { conditions: [condition('Ready', 'True', 'volume shop/data-1')] } }];
    metrics.follow({ objects: () => objects, connections: () => [] });
    expect(await metrics.text()).not.toContain('data-1');
  });

  it('shows calls, windows, lanes and ages of each account', async () => {
    const metrics = new Metrics(build);
    metrics.account.called({ method: 'POST', template: '/volumes/{id}/attach', status: 200, seconds: 0.2 });
    const connection = { account: 'E1', eventsLag: 4, snapshotAge: 120, queueAge: { edit: 0.5 } };
    metrics.account.budget('E1', 'read', 90);
    metrics.follow({ objects: () => [], connections: () => [connection, { account: 'E1', eventsLag: 2 }] });
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'cloud_operator_api_calls_total{method="POST",path="/volumes/{id}/attach",status="200"} 1',
        'cloud_operator_events_lag_seconds{account="E1"} 4',
        'cloud_operator_snapshot_age_seconds{account="E1"} 120',
        'cloud_operator_budget_queue_age_seconds{account="E1",lane="edit"} 0.5',
        'cloud_operator_budget_left{account="E1",class="read"} 90',
      ]),
    );
  });

  it('says who leads, which CRDs do not fit and which build it is', async () => {
    const metrics = new Metrics(build);
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
    const metrics = new Metrics(build);
    metrics.begin(['CloudVolume'], 'cloud-operator');
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'controller_runtime_reconcile_panics_total{controller="CloudVolume"} 0',
        'leader_election_master_status{name="cloud-operator"} 0',
      ]),
    );
  });

  it('tells of its own process when it is asked to', async () => {
    const metrics = new Metrics(build);
    const names = async (): Promise<string> => (await lines(metrics)).join(' ');
    expect(await names()).not.toContain('nodejs_heap_size_used_bytes');
    metrics.watchProcess();
    expect(await names()).toMatch(/process_cpu_seconds_total .*nodejs_eventloop_lag_p99_seconds .*nodejs_heap_size_used_bytes /);
  });
});
