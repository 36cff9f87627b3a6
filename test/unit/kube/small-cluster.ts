import { ApiServer } from '../../apiserver/api-server.ts';
import type { Backend } from '../../support/virtual/backend.ts';
import { InProcessDispatcher } from '../../support/virtual/in-process-dispatcher.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import type { VirtualProcess } from '../../support/virtual/virtual-clock.ts';
import { KubeClient } from '../../../src/kube/http/client.ts';
import { clusterAt } from '../../../src/kube/http/cluster.ts';

const SERVER = 'https://kube.test';

/** One program that talks to the cluster; it can be killed. */
export interface Program {
  readonly client: KubeClient;
  readonly dispatcher: InProcessDispatcher;
  readonly process: VirtualProcess;
  kill(): void;
}

/** An API server in memory with the CRD of CloudThing, in virtual time. */
export class SmallCluster {
  readonly clock = new VirtualClock();
  readonly server: ApiServer;
  /** Serves the programs; a test may put another server of the same cluster in its place. */
  front: Backend;
  readonly signal = new AbortController().signal;

  constructor() {
    this.server = new ApiServer({ clock: this.clock });
    this.front = this.server;
  }

  static async make(): Promise<SmallCluster> {
    const cluster = new SmallCluster();
    await cluster.server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    return cluster;
  }

  program(): Program {
    const process = this.clock.spawn();
    const front: Backend = { handle: (request) => this.front.handle(request) };
    const dispatcher = new InProcessDispatcher({ clock: this.clock, activity: this.clock.activity, backends: { [SERVER]: front } });
    const cluster = clusterAt(process.clock, { server: SERVER, token: 'admin' });
    const client = new KubeClient({ cluster, clock: process.clock, userAgent: 'test/1', dispatcher });
    const kill = (): void => {
      process.kill();
      dispatcher.kill();
    };
    return { client, dispatcher, process, kill };
  }

  /** A CRD that accepts anything. */
  async installThings(hash = 'h1'): Promise<void> {
    await this.server.as('admin', 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'cloudthings.cloudhosting.dev', annotations: { 'cloudhosting.dev/schema-hash': hash } },
      spec: {
        group: 'cloudhosting.dev',
        scope: 'Namespaced',
        names: { kind: 'CloudThing', plural: 'cloudthings', singular: 'cloudthing', listKind: 'CloudThingList' },
        versions: [
          {
            name: 'v1alpha1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
    await this.clock.settle();
  }

  async thing(name: string, spec: Record<string, number> = {}): Promise<void> {
    await this.server.apply({ apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudThing', metadata: { name, namespace: 'team' }, spec });
  }
}
