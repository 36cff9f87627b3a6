import type { Body } from '../../resource/index.ts';
import { CliError } from '../exit.ts';
import { type Flags, text } from '../command-line/flag.ts';

const form = /^x-filter *[:=](?<json>.*)$/i;

/** `-H 'X-Filter: JSON'`, the one header that the service reads of who asks; token and program are never the line's to say. */
export function filterIn(flags: Flags): Body | undefined {
  const given = text(flags, 'header');
  const json = given === undefined ? undefined : form.exec(given)?.groups?.['json'];
  const filter = json === undefined ? undefined : parsed(json);
  if (given === undefined || filter !== undefined) return filter;
  // Told without quoting what may be a token.
  throw new CliError(2, `-H takes X-Filter and no other header, once: what of a list is asked for, as -H 'X-Filter: {"label": "web"}'`);
}

function parsed(json: string): Body | undefined {
  try {
    const value = JSON.parse(json) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}
