import * as z from 'zod';
import { Sensitive } from '../../../resource/index.ts';
import type { Call } from '../../command-line/command.ts';
import { CliError } from '../../exit.ts';
import { text } from '../../command-line/flag.ts';

const digits = (least: number, most: number): z.ZodString => z.string().regex(new RegExp(`^\\d{${least},${most}}$`));
const card = z.object({
  card_number: digits(14, 24),
  cvv: digits(3, 4),
  expiry_month: z.int().min(1).max(12),
  expiry_year: z.int().min(2000).max(9999),
});
const form =
  '{"card_number": "14 to 24 digits", "cvv": "3 or 4 digits", "expiry_month": 12, "expiry_year": 2030}; the month is this one or later';

export interface Card {
  readonly number: Sensitive;
  readonly cvv: Sensitive;
  readonly month: number;
  readonly year: number;
}

/** Typed without being shown, or JSON on standard input or in a file; never on the line, where every process can read it. */
export async function cardOf(call: Call): Promise<Card> {
  const given = text(call.flags, 'cardFrom');
  const read = card.safeParse(given === undefined ? await typedCard(call) : json(await firstFile(call, given)));
  if (!read.success || isPast(read.data, call.session.now)) throw new CliError(2, `this is no card: write ${form}`);
  const { card_number: number, cvv, expiry_month: month, expiry_year: year } = read.data;
  return { number: new Sensitive(number), cvv: new Sensitive(cvv), month, year };
}

/** The code on the back of a card. */
export async function cvvOf(call: Call): Promise<Sensitive> {
  const given = text(call.flags, 'cvvFrom');
  const code = given === undefined ? await typed(call, 'Security code of the card (cvv)', '--cvv-from FILE') : await firstFile(call, given);
  if (!/^\d{3,4}$/.test(code.trim())) throw new CliError(2, 'the security code of a card has 3 or 4 digits');
  return new Sensitive(code.trim());
}

async function typedCard(call: Call): Promise<unknown> {
  const flag = '--card-from FILE';
  const [number, month, year, cvv] = [
    await typed(call, 'Number of the card', flag),
    await typed(call, 'Month in which it ends, 1 to 12', flag),
    await typed(call, 'Year in which it ends, four digits', flag),
    await typed(call, 'Security code (cvv)', flag),
  ];
  return { card_number: number.replaceAll(/[ -]/g, ''), cvv, expiry_month: Number(month), expiry_year: Number(year) };
}

async function typed({ session }: Call, question: string, flag: string): Promise<string> {
  const { person } = session.host;
  if (person === undefined) throw new CliError(3, `${question} is needed, and nobody can be asked without a terminal. Use ${flag}`);
  const answer = await person.secret(question);
  if (answer === undefined) throw new CliError(130, 'interrupted; nothing was sent');
  return answer;
}

async function firstFile({ session, flags }: Call, path: string): Promise<string> {
  if (path === '-' && text(flags, 'tokenFile') === '-')
    throw new CliError(2, 'standard input cannot be the token and the card: put the token into CLOUD_TOKEN');
  const [file] = await session.host.readFiles(path, false);
  return file?.text ?? '';
}

/** The parser's own message would quote what it read. */
function json(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return undefined;
  }
}

function isPast({ expiry_month: month, expiry_year: year }: z.output<typeof card>, now: number): boolean {
  const today = new Date(now);
  return year * 12 + month <= today.getUTCFullYear() * 12 + today.getUTCMonth();
}
