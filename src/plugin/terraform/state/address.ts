import { withoutControls } from '../../../lib/one-line.ts';
import { distinct, longest } from '../../export/placing/names.ts';

/** As HashiCorp's language has identifiers: letters of any script. */
const name = '[\\p{ID_Start}_][\\p{ID_Continue}-]*';
const wholeName = new RegExp(`^${name}$`, 'u');
export const isName = (text: string): boolean => wholeName.test(text);
const key = '\\[(?:\\d+|"(?:[^"\\\\]|\\\\.)*")\\]';
const module = new RegExp(`^module\\.${name}(?:${key})?(?:\\.module\\.${name}(?:${key})?)*$`, 'u');

/** Modules are written into the state as Terraform reads them. */
export const isModule = (text: string): boolean => module.test(text) && !hasControls(text);

/** With the key of the instance, as a command line of Terraform names it. */
export const addressOf = (resource: string, index: string | number | undefined): string =>
  index === undefined ? resource : `${resource}[${typeof index === 'number' ? index : quoted(index)}]`;

/** A text of Terraform's own language. */
const quoted = (text: string): string =>
  `"${withoutControls(
    text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/[\t\n]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ).replaceAll(/[$%](?=\{)/g, (one) => one + one)}"`;

const hasControls = (text: string): boolean => withoutControls(text) !== text;

/** The address itself, or one of what lies below it: a module, a resource. */
export const isBelow = (address: string, above: string): boolean =>
  address === above || (address.startsWith(above) && ['.', '['].includes(address.charAt(above.length)));

/** Name of an object, made of these words; with a hash of the address where it would be cut. */
export function nameFrom(words: readonly string[], address: string): string {
  const whole = words
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (whole !== '' && whole.length <= longest) return whole;
  return distinct(whole, address);
}
