/** A kubeconfig as JSON, which every reader of YAML accepts. */
export function kubeconfigText(cluster: { readonly url: string; readonly ca: string }, token: string): string {
  const name = 'cloud-operator';
  const certificate = cluster.ca === '' ? {} : { 'certificate-authority-data': Buffer.from(cluster.ca).toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server: cluster.url, ...certificate } }],
    users: [{ name, user: token === '' ? {} : { token } }],
  });
}
