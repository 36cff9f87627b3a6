/** Regular expressions as text for CEL `matches`, in RE2 and without backslashes, which CEL would have to escape. */
const octet = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
export const ipv4Pattern = `${octet}([.]${octet}){3}`;
/** Not the whole grammar: two colons at least, and only what an address may hold. */
export const ipv6Pattern = '[0-9a-fA-F]{0,4}:[0-9a-fA-F:]*:[0-9a-fA-F:.]*';
export const ipv4NetworkPattern = `${ipv4Pattern}/([0-9]|[12][0-9]|3[0-2])`;
export const ipv6NetworkPattern = '[0-9a-fA-F:.]*:[0-9a-fA-F:.]*/([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8])';
const label = '[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?';
export const hostPattern = `(${label}[.])*${label}`;

/** `text` as a CEL condition on `of`: it matches the whole pattern. */
export const matches = (of: string, pattern: string): string => `${of}.matches('^(${pattern})$')`;

/** What is no character of a line, as a CEL condition on `of`: with the backslashes that CEL takes off. */
export const isOneLine = (of: string): string => `!${of}.matches('[\\\\x00-\\\\x1f\\\\x7f]')`;

/** A name that climbs could come to mean the object of another bucket; so it is refused, whatever the service makes of it. */
export const namesInBucket = {
  rule: "!self.split('/').exists(s, s == '.' || s == '..')",
  message: 'object has no part that is . or .. between its slashes: write its name in full, for example images/golden.gz',
} as const;
