import { join } from 'node:path';

/** What one API server is started with. */
export interface ServerSettings {
  readonly folder: string;
  readonly etcdUrl: string;
  readonly port: number;
  /** Duration such as `5s`; short ones make old resourceVersions answer 410 soon. */
  readonly compactionInterval: string;
  /** Name of the audit log within `folder`. */
  readonly auditLog: string;
  readonly extra: readonly string[];
}

export interface EtcdSettings {
  readonly folder: string;
  readonly clientUrl: string;
  /** Unlike any other's, so that a prober can tell it from an etcd that took the same port first. */
  readonly name: string;
  /** Off, etcd loses its last writes when it is killed, and is much faster. */
  readonly fsync: boolean;
}

export function etcdFlags({ folder, clientUrl, name, fsync }: EtcdSettings): string[] {
  return [
    `--name=${name}`,
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    '--listen-peer-urls=http://127.0.0.1:0',
    '--log-level=warn',
    '--quota-backend-bytes=4294967296',
    ...(fsync ? [] : ['--unsafe-no-fsync']),
  ];
}

export function apiServerFlags(settings: ServerSettings): string[] {
  const at = (name: string): string => join(settings.folder, name);
  return [
    `--etcd-servers=${settings.etcdUrl}`,
    `--etcd-compaction-interval=${settings.compactionInterval}`,
    // The server signs its own certificate there, and clients take that one as their CA.
    `--cert-dir=${at('certificates')}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${settings.port}`,
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=RBAC',
    `--token-auth-file=${at('tokens.csv')}`,
    `--authentication-token-webhook-config-file=${at('webhook.json')}`,
    '--authentication-token-webhook-version=v1',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${at('service-account.key')}`,
    `--service-account-signing-key-file=${at('service-account.key')}`,
    // There are no pods here whose ServiceAccount could be missing.
    '--disable-admission-plugins=ServiceAccount',
    `--audit-policy-file=${at('audit-policy.json')}`,
    `--audit-log-path=${at(settings.auditLog)}`,
    '--audit-log-maxsize=100000',
    ...settings.extra,
  ];
}

const CONTROLLERS = [
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'root-ca-certificate-publisher-controller',
  'clusterrole-aggregation-controller',
  'validatingadmissionpolicy-status-controller',
];

export function controllerManagerFlags(folder: string, kubeconfig: string): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--use-service-account-credentials=false',
    `--service-account-private-key-file=${join(folder, 'service-account.key')}`,
    `--root-ca-file=${join(folder, 'certificates', 'apiserver.crt')}`,
    `--controllers=${CONTROLLERS.join(',')}`,
    '--secure-port=0',
    '--kube-api-qps=200',
    '--kube-api-burst=400',
  ];
}

/** Every request but probes, without bodies: who, what, when, which answer. */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'None', nonResourceURLs: ['/healthz*', '/readyz*', '/livez*'] }, { level: 'Metadata' }],
} as const;
