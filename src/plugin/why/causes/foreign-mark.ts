import { accountKey } from '../../../engine/model/account.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { shellWord } from '../../../lib/shell-word.ts';
import { typed } from '../../cluster/naming.ts';
import { stateOf } from '../../objects/facts.ts';
import type { Advice } from '../advice.ts';

/** Within it what people wrote has its quotes escaped, and what is quoted before it has none: nothing but the operator writes the like. */
const call = /(?:: |, or )PUT (\/lke\/clusters\/\d+\/pools\/\d+) (\{"tags":\[(?:"(?:[^"\\]|\\.)*",?)*\]\})/g;

/** A pool that bears the mark of another object, or none: the message has the call that says whose it is from then on. */
export function foreignMark(object: Resource, words: string): Advice | undefined {
  if (!/^pools? \d/.test(words)) return undefined;
  const calls = [...stateOf(object).message.matchAll(call)];
  if (calls.length === 0) return undefined;
  const { namespace, name } = accountKey(object);
  const lines = calls.map(
    ([, path = '', body = '']) =>
      `kubectl cloud api PUT ${path} --write --behind-the-operator --data ${shellWord(body)} --account ${shellWord(`${namespace}/${name}`)}`,
  );
  const which = lines.length === 1 ? 'The line' : 'One of the lines, and no more than one of them,';
  return {
    todo: `See in the account, and with whoever else works there, whether anything else manages that pool still: another namespace, another cluster. If nothing does, and it is meant here, set the tags that the message names. ${which} does that with a token of yours (CLOUD_TOKEN), and changes nothing else of the pool; the last looks at once.`,
    commands: [...lines, `kubectl cloud reconcile ${typed(object)}`],
  };
}
