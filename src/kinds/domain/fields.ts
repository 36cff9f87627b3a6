import * as z from 'zod';
import { checked, optional } from '../../resource/index.ts';

export const span = (what: string, byDefault: string) =>
  optional(
    z.int().min(0).max(2_419_200),
    `${what}, in seconds, for example 3600. The service rounds up to 300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600 or 2419200; 0 is the default, ${byDefault}. Absent: left alone.`,
  );

export const addresses = (text: string) =>
  optional(
    checked(z.array(z.string().min(2).max(45)).max(100), {
      rule: "self.join(',').size() <= 1000",
      message: 'all addresses together have at most 1000 characters: remove some',
    }),
    text,
  );
