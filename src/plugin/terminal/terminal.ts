import { confirm, isCancel, password, text } from '@clack/prompts';

// Questions are talk: standard output is for data.
const output = process.stderr;
// Some pseudo-terminals have no size, and text would be wrapped after each letter.
if (output.columns === 0) output.columns = 80;

/** `undefined`: the person pressed Ctrl-C. Enter alone is no. */
export async function yes(message: string): Promise<boolean | undefined> {
  const answer = await confirm({ message, initialValue: false, output });
  return isCancel(answer) ? undefined : answer;
}

export async function type(message: string): Promise<string | undefined> {
  const answer = await text({ message, output });
  return isCancel(answer) ? undefined : answer;
}

/** Shown as dots. */
export async function secret(message: string): Promise<string | undefined> {
  const answer = await password({ message, output });
  return isCancel(answer) ? undefined : answer;
}
