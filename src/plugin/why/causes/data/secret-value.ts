import { shellWord } from '../../../../lib/shell-word.ts';

/** No value on a line: it would stay in the history of the shell. */
export const variable = (key: string): string =>
  key
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_');

interface Place {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}
/** Into a Secret that is there, whose other keys stay. */
export const valueInto = ({ namespace, name, key }: Place): string =>
  `kubectl create secret generic ${shellWord(name)} --from-literal=${shellWord(key)}="$${variable(key)}" --dry-run=client -o json | kubectl -n ${shellWord(namespace)} patch secret ${shellWord(name)} --type=merge --patch-file=/dev/stdin`;
