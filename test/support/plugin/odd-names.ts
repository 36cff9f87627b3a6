import type { Backend } from '../virtual/backend.ts';

/** A screen erased, the direction of writing turned, and lines that look like the program's own, by each way to begin one. */
export const odd = '\u001B[2J\u202E\nForged a\r\nForged b\u2028Forged c\u0085Forged d';

/** What people write as they like, in an account and in a cluster. */
const free = new Set(
  'description summary company comments rev_note revisionNote message group note username last_name reason label tags consequences changes'.split(
    ' ',
  ),
);

/** A server whose rows and objects are called oddly wherever somebody may call them so. */
export const oddly = (server: Backend): Backend => ({
  handle: async (request) => {
    const answer = await server.handle(request);
    if (request.method !== 'GET' || (typeof answer.body !== 'string' && !Buffer.isBuffer(answer.body))) return answer;
    try {
      return { ...answer, body: JSON.stringify(renamed(JSON.parse(String(answer.body)))) };
    } catch {
      return answer;
    }
  },
});

function renamed(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return free.has(field) ? value + odd : value;
  if (Array.isArray(value)) return (free.has(field) && value.length === 0 ? [''] : value).map((one) => renamed(one, field));
  if (typeof value !== 'object' || value === null) return value;
  const kept = fixed.find(({ where }) => where in value)?.field;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, name === kept ? one : renamed(one, name)]));
}

/** The label of a bucket is its path, the reason of a condition is read by programs. */
const fixed = [
  { where: 'hostname', field: 'label' },
  { where: 'observedGeneration', field: 'reason' },
];
