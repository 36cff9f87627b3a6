import type { Report } from '../../contract/fields.ts';
import { isIpv4Network, isIpv6Network } from '../shared/addresses-of-text.ts';
import { isIPv4, isIPv6 } from 'node:net';
import { portProblem } from './ports.ts';

type Json = Readonly<Record<string, unknown>>;

const mostRules = 25;
const mostAddresses = 255;
const keys = ['inbound', 'inbound_policy', 'outbound', 'outbound_policy'];
const directions = ['inbound', 'outbound'] as const;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const absent = (value: unknown): value is null | undefined => value === undefined || value === null;

const families = {
  ipv4: { takes: (text: string) => isIPv4(text) || isIpv4Network(text), name: 'IPv4' },
  ipv6: { takes: (text: string) => isIPv6(text) || isIpv6Network(text), name: 'IPv6' },
} as const;

function checkFamily(list: unknown, family: keyof typeof families, path: string, report: Report): number {
  if (absent(list)) return 0;
  if (!Array.isArray(list)) {
    report(`${family} is not valid`, path);
    return 0;
  }
  const { takes, name } = families[family];
  list.forEach((item: unknown, index) => {
    if (typeof item !== 'string' || !takes(item)) report(`Must contain only valid ${name} addresses or networks`, `${path}[${index}]`);
  });
  return list.length;
}

function checkAddresses(addresses: unknown, path: string, report: Report): void {
  if (absent(addresses)) return report('addresses is required', path);
  if (!isObject(addresses)) return report('addresses is not valid', path);
  const ipv4 = checkFamily(addresses['ipv4'], 'ipv4', `${path}.ipv4`, report);
  const ipv6 = checkFamily(addresses['ipv6'], 'ipv6', `${path}.ipv6`, report);
  // The text is the generic form.
  if (ipv4 + ipv6 > mostAddresses) report(`Must be 0-${mostAddresses} items`, path);
}

function checkChoice(rule: Json, field: string, choices: readonly string[], { path, report }: Place): void {
  const value = rule[field];
  if (absent(value)) report(`${field} is required`, `${path}.${field}`);
  else if (typeof value !== 'string' || !choices.includes(value)) report(`${field} is not valid`, `${path}.${field}`);
}

function checkLength(rule: Json, field: string, [min, max]: readonly [number, number], { path, report }: Place): void {
  const value = rule[field];
  if (absent(value)) return;
  if (typeof value !== 'string') report(`${field} is not valid`, `${path}.${field}`);
  else if (value.length < min || value.length > max) report(`Length must be ${min}-${max} characters`, `${path}.${field}`);
}

interface Place {
  readonly path: string;
  readonly report: Report;
}

function checkRule(rule: unknown, path: string, report: Report): void {
  if (!isObject(rule)) return report(`${path.split('.').at(-1) ?? path} is not valid`, path);
  const place = { path, report };
  checkChoice(rule, 'action', ['ACCEPT', 'DROP'], place);
  checkChoice(rule, 'protocol', ['TCP', 'UDP', 'ICMP', 'IPENCAP'], place);
  checkAddresses(rule['addresses'], `${path}.addresses`, report);
  const ports = portProblem(rule['protocol'], rule['ports']);
  if (ports !== undefined) report(ports, `${path}.ports`);
  checkLength(rule, 'label', [3, 32], place);
  checkLength(rule, 'description', [1, 100], place);
}

function checkDirection(rules: Json, direction: (typeof directions)[number], report: Report): number {
  const list = rules[direction];
  if (absent(list)) return 0;
  if (!Array.isArray(list)) {
    report(`${direction} is not valid`, `rules.${direction}`);
    return 0;
  }
  list.forEach((rule, index) => checkRule(rule, `rules.${direction}[${index}]`, report));
  return list.length;
}

/** Both policies must be there on create; on the rules update what is left out stays. */
function checkPolicy(rules: Json, field: string, needed: boolean, report: Report): void {
  const value = rules[field];
  if (absent(value)) {
    if (needed) report(`${field} is required`, `rules.${field}`);
  } else if (value !== 'ACCEPT' && value !== 'DROP') report(`${field} is not valid`, `rules.${field}`);
}

/** Every rule of document 3, Firewall, with field paths: `rules.inbound[0].ports`. */
export function checkRules(rules: unknown, policiesNeeded: boolean, report: Report): void {
  if (!isObject(rules)) return report('rules is not valid', 'rules');
  if (Object.keys(rules).some((key) => !keys.includes(key))) report(`Keys must be one of: ${keys.join(', ')}`, 'rules');
  const count = directions.reduce((sum, direction) => sum + checkDirection(rules, direction, report), 0);
  for (const direction of directions) checkPolicy(rules, `${direction}_policy`, policiesNeeded, report);
  // The text is the generic form.
  if (count > mostRules) report(`Must be 0-${mostRules} items`, 'rules');
}
