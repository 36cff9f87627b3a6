const hidden = '[redacted]';
/** Names whose values are secrets; `tokenSecretRef` and `secretName` name objects and stay readable. */
const secretName =
  /(^|[-_.]|[a-z])(token|password|passwd|root_?pass|authorization|cookie|secret|credentials?|private_?key|api_?key|access_?key)$/i;
/** Texts that are secrets wherever they stand: bearer headers, JWTs, the API's 64 hexadecimal digits, PEM keys. */
const secretText = [
  /\b(?<=Bearer\s)[\w.~+/=-]{8,}/gi,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b[0-9a-f]{64}\b/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const assigned = /\b((?:\w*_)?(?:token|password|root_pass|secret|secret_key|private_key|authorization)"?\s*[:=]\s*"?)([^\s",&}]{4,})/gi;
/** Deeper structures are of no use in a log line. */
const depth = 5;

/** A text that came from outside, without what looks like a secret in it. */
export function scrubText(text: string): string {
  const plain = secretText.reduce((left, pattern) => left.replace(pattern, hidden), text);
  return plain.replace(assigned, (_all, name: string) => `${name}${hidden}`);
}

/** The same value with every secret replaced, by name of the field or by the look of the text; errors become plain objects. */
export function scrub(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (level > depth) return '[...]';
  if (value instanceof Error) return scrubError(value, level);
  if ('toJSON' in value && typeof value.toJSON === 'function') return scrub((value.toJSON as () => unknown)(), level + 1);
  if (Array.isArray(value)) return value.map((item) => scrub(item, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, secretName.test(name) && item !== undefined ? hidden : scrub(item, level + 1)]),
  );
}

function scrubError(error: Error, level: number): Readonly<Record<string, unknown>> {
  return {
    name: error.name,
    message: scrubText(error.message),
    ...(error.stack !== undefined && { stack: scrubText(error.stack) }),
    ...(error.cause !== undefined && { cause: scrub(error.cause, level + 1) }),
  };
}
