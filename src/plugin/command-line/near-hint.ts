import { alike } from '../../lib/closest.ts';
import type { Command } from './command.ts';
import { withoutYes } from './help.ts';
import { kindCalled } from './kinds.ts';
import { nouns } from '../look/nouns.ts';
import { noVerbs } from '../../kinds/for-plugin/no-verbs.ts';

const unknownVerb = /^error: unknown command '(?<word>[^']+)'\n(?:\(Did you mean (?:one of )?(?<likes>[^?]+)\?\)\n)?$/;

const unknownYes = /^kubectl cloud (?<verb>\S+): unknown option '--yes'\n/;

/** What of --yes is meant where a verb does not take it. */
export function withYesHint(text: string, commands: readonly Command[]): string {
  const { verb } = unknownYes.exec(text)?.groups ?? {};
  const command = commands.find(({ name }) => name === verb);
  const hint = command === undefined ? undefined : withoutYes(command);
  return hint === undefined ? text : `${text}(${hint})\n`;
}

/** What is nothing like the verb that was typed helps nobody, and an object where the verb belongs wants only that. */
export function withNearHint(text: string): string {
  const { word, likes = '' } = unknownVerb.exec(text)?.groups ?? {};
  if (word === undefined) return text;
  const said = `error: unknown command '${word}'\n`;
  const verb = verbFor(word);
  if (verb !== undefined) return `${said}(write the verb first, for example: kubectl cloud ${verb} ${word})\n`;
  if (Object.hasOwn(noVerbs, word)) return `${said}${word} is no verb here: ${noVerbs[word]}\n`;
  const near = likes === '' ? [] : alike(word, likes.split(', '));
  return near.length === 0 ? said : `${said}(Did you mean ${near.join(', ')}?)\n`;
}

function verbFor(word: string): string | undefined {
  if (kindCalled(word.split('/')[0] ?? '') !== undefined) return 'why';
  return Object.hasOwn(nouns, word) ? 'get' : undefined;
}
