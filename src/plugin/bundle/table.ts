import type { Command } from '../command-line/command.ts';
import { allNamespaces, clusterFlags, outputOf } from '../command-line/flags.ts';

export const bundling: Command = {
  name: 'bundle',
  does: 'One file with what somebody needs who is to help: objects, Events, findings, logs, versions. It is sent nowhere.',
  details: [
    'Of the objects of a namespace, or with -A of all; logs and metrics are those of the operator, where you may read them. What may not be read is named in README.txt of the archive.',
    'Secrets are not even asked for. Of objects what the operator signed is left out, texts of more than 200 characters, and values of fields that may hold a secret. Names, labels and addresses are in it, as your people wrote them: --no-names puts one word in place of each, the same everywhere; ids of the account stay.',
    'Look into it before you give it away: nobody knows what people write into a description.',
  ].join(' '),
  flags: [
    { form: '--to <file>', help: 'Archive that is written. Default: cloud-bundle-TIME.tar.gz here.' },
    { form: '--since <duration>', help: 'How far back logs and Events go.', default: '2h' },
    { form: '--no-names', help: 'Without names, labels, domains and addresses.' },
    allNamespaces,
    outputOf(),
    ...clusterFlags,
  ],
  talks: 'reads',
  rights: [
    { verbs: ['list'], resource: 'kinds' },
    { verbs: ['list'], resource: 'events', optional: true },
    { verbs: ['list'], resource: 'pods', optional: true },
    { verbs: ['get'], resource: 'pods/log', optional: true },
    { verbs: ['get'], resource: 'pods/proxy', optional: true },
    { verbs: ['list'], resource: 'networkpolicies.networking.k8s.io', optional: true },
    { verbs: ['get'], resource: 'endpoints', optional: true },
    { verbs: ['list'], resource: 'nodes', optional: true },
    { verbs: ['get'], resource: 'namespaces', optional: true },
    { verbs: ['get'], resource: 'leases.coordination.k8s.io', optional: true },
    { verbs: ['list'], resource: 'deployments.apps', optional: true },
    { verbs: ['list'], resource: 'clusterrolebindings.rbac.authorization.k8s.io', optional: true },
    { verbs: ['get'], resource: 'customresourcedefinitions', optional: true },
  ],
  confirms: 'C0',
  exits: { 3: 'there is a file of that name already' },
  examples: ['kubectl cloud bundle -A --no-names', 'kubectl cloud bundle -n shop --since 24h --to shop.tar.gz'],
  load: async () => (await import('./bundle.ts')).bundle,
};
