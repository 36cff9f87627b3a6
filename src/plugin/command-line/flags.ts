import type { Flag } from './flag.ts';

/** As in kubectl. */
export const clusterFlags: readonly Flag[] = [
  { form: '--kubeconfig <file>', help: "Kubeconfig to use instead of kubectl's own choice." },
  { form: '--context <name>', help: 'Context of the kubeconfig instead of its current one.' },
  { form: '-n, --namespace <name>', help: "Namespace of the objects instead of the context's." },
  { form: '--as <user>', help: 'User to act as, where you may.' },
  { form: '--as-group <group>', help: 'Group of that user. May be repeated.', repeats: true },
  { form: '--request-timeout <duration>', help: 'How long one request may take, for example 10s. Default 30s.' },
  {
    form: '--no-color',
    help: 'No colours in questions; nothing else has any. NO_COLOR does the same, and so does a standard output that is no terminal.',
  },
  {
    form: '-q, --quiet',
    help: 'On standard error nothing but errors, and what belongs to a question that is asked.',
    conflicts: 'verbose',
  },
  {
    form: '-v, --verbose',
    help: 'On standard error also each request, as METHOD PATH and the code of its answer. Never a header or a body.',
  },
];

/** `name` where the answer is objects, `wide` where it is a table with more to tell. */
export const outputOf = (...forms: readonly string[]): Flag => ({
  form: '-o, --output <form>',
  help: 'What is written to standard output.',
  choices: ['text', 'json', 'yaml', ...forms],
  default: 'text',
});

export const allNamespaces: Flag = { form: '-A, --all-namespaces', help: 'Objects of all namespaces.' };
/** Of what takes several objects. */
export const choosing: readonly Flag[] = [
  allNamespaces,
  { form: '-l, --selector <labels>', help: 'Only objects with these labels, as kubectl writes them.' },
];
/** Of what takes the objects that manifests name. */
export const fromManifests: readonly Flag[] = [
  { form: '-f, --filename <path>', help: 'Objects that these manifests name: a file, a folder, or -. May be repeated.', repeats: true },
  { form: '-R, --recursive', help: 'Also folders below the one that is named.' },
];
