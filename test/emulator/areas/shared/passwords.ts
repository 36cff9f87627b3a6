import type { Field } from '../../contract/fields.ts';
import { string } from '../../contract/fields.ts';

const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];

/** 11..128. That two kinds of characters are strong enough is assumed. */
export function rootPassword(): Field<string> {
  return string({
    min: 11,
    max: 128,
    also: (value) => (kinds.filter((kind) => kind.test(value)).length < 2 ? 'Password does not meet strength requirement.' : undefined),
  });
}
