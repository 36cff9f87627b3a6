import * as z from 'zod';
import { checked, optional } from './fields.ts';
import { matches } from './grammar.ts';

const port = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
const portList = matches('self', `${port}(-${port})?(, ?${port}(-${port})?)*`);
/** From and to of one piece `p` of the list. */
const end = (index: 0 | 1): string => `int(p.trim().split('-')[${index}])`;

/** Ports as the service takes them: single ones, ranges and lists; every rule of the documents but the number of rules. */
export const portsField = () =>
  checked(
    z.string().min(1).max(120),
    {
      rule: portList,
      message: 'ports are numbers of 1 to 65535 without leading zeros, ranges and lists of both: write for example 22, 80, 8000-8100',
    },
    {
      rule: `!(${portList}) || self.split(',').all(p, !p.contains('-') || ${end(0)} < ${end(1)})`,
      message: 'a range of ports ends above its start: write for example 8000-8100',
    },
    {
      rule: "self.split(',').size() + self.split('-').size() - 1 <= 15",
      message: 'ports has at most 15 pieces, where a range counts as two: split the rule',
    },
  );

export const networksField = (example: string, pattern: string, text: string) =>
  optional(
    z
      .array(
        checked(z.string().min(3).max(49), {
          rule: matches('self', pattern),
          message: `write an address with its mask, for example ${example}`,
        }),
      )
      .max(255),
    text,
  );
