import { expect, it } from 'vitest';
import { examplesIn, mismatch, withoutWatchLog } from './guide.ts';

const fence = '```';
const guide = `# A guide
${fence}console
$ kubectl get a
NAME   AGE
web    ...

$ kubectl apply -f - <<EOF
kind: A
EOF
a created
$ helm install \\
    x
${fence}
${fence}yaml
$ not a command
${fence}
`;

it('finds commands, what they go on with and what they print', () =>
  expect(examplesIn(guide)).toEqual([
    { line: 3, command: 'kubectl get a', prints: ['NAME   AGE', 'web    ...', ''] },
    { line: 7, command: 'kubectl apply -f - <<EOF\nkind: A\nEOF', prints: ['a created'] },
    { line: 11, command: 'helm install \\\n    x', prints: [] },
  ]));

it.each([
  [[], 'anything', undefined],
  [['NAME AGE', 'web ...'], 'NAME       AGE\nweb        3s\n', undefined],
  [['...', 'last'], 'first\nsecond\nlast', undefined],
  [['first', '...'], 'first\nsecond', undefined],
  [['a.b'], 'axb', 'expected'],
  [['first'], 'first\nsecond', 'more than is told'],
  [['second'], 'first\nsecond', 'expected'],
  [['first', 'third'], 'first\nsecond', 'expected'],
])('%j is what %j shows: %s', (prints, output, problem) => {
  const found = mismatch(prints, output);
  expect(problem === undefined ? found : found?.includes(problem)).toBe(problem === undefined ? undefined : true);
});

it('passes over what a watch logs of itself, and over no error', () => {
  const log = 'E1128 21:04:05.123456   12345 reflector.go:227] "Watch ended with error" err="unexpected EOF"\n';
  const other = 'E1128 21:04:05.123456   12345 memcache.go:265] "Unhandled Error" err="connection refused"\n';
  const error = 'error: timed out waiting for the condition on cloudinstances/web\n';
  expect(withoutWatchLog(`${log}${error}`)).toBe(error);
  expect(withoutWatchLog(`${other}${error}`)).toBe(`${other}${error}`);
  expect(withoutWatchLog(`Error from server: ${log}`)).toBe(`Error from server: ${log}`);
});
