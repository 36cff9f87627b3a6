import { literalPattern } from '../../lib/literal-pattern.ts';
import { lastOf, withoutDifferences } from './differences.ts';

/** Fields whose text says nothing about whose it is: words of Kubernetes, of this operator, and of the provider's catalogues. */
const common = new Set(
  [
    'apiVersion kind type reason status state severity image version gitVersion platform creationTimestamp',
    'deletionTimestamp lastTransitionTime firstTimestamp lastTimestamp eventTime renewTime acquireTime finalizers uid resourceVersion path id',
    'lastChecked lastRead policy origin effect region cluster engine kernel k8sVersion filesystem power',
    'protocol action acl permissions plan management onDelete onMissing drift mode purpose field',
    'writtenBy adopt at until since fields key ports',
  ].flatMap((words) => words.split(' ')),
);
/** Free texts, in which the names that were found elsewhere are looked for. */
const prose = new Set(['message', 'note', 'seen', 'todo', 'waitingFor', 'blockedBy']);

/** In a message, where nothing tells a text from a number: yes, no, nothing, and a size or a count, which a telephone number is longer than. */
const plain = /^(?:\d{1,5}|true|false|null|\[redacted\])$/;

const address = /(?<![\w.])\d{1,3}(\.\d{1,3}){3}(?![\w.])/g;
const address6 = /(?<![\w:])(?:[0-9a-f]{1,4}:){2,7}[0-9a-f:]{0,39}(?![\w:])/gi;
const mail = /[\w.+-]+@[\w-]+(\.[\w-]+)+/g;
const accountId = /(?<!\w)[0-9A-F]{8}-(?:[0-9A-F]{4}-){2}[0-9A-F]{16}(?!\w)/g;
const host = /(?<![\w./-])(?!(?:spec|status|metadata)\.)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?![\w(-])/gi;
const ours = /(^|\.)(k8s\.io|cloudhosting\.dev|txt|json|yaml|log)$/i;

/** Puts one word in place of each name, the same one everywhere in a bundle. */
export class WithoutNames {
  readonly #tokens = new Map<string, string>();
  #known: RegExp | undefined;

  /** An object with every text that is not common replaced. */
  object(value: unknown, field = ''): unknown {
    if (Array.isArray(value)) return value.map((one) => this.object(one, field));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          field === 'labels' || field === 'matchLabels' ? this.#tokenOf(name) : name,
          // Of a field that differs, which is named beside it.
          this.object(one, (name === 'was' || name === 'now') && 'field' in value ? String(value.field) : name),
        ]),
      );
    if (typeof value !== 'string') return value;
    if (prose.has(field)) return withoutDifferences(value, 'message', this.#differing);
    return this.#valueOf(value, field);
  }

  /** Logs, of which the names that they alone have must be known before any text is written. */
  log(text: string): string {
    return withoutDifferences(text, 'log', this.#differing);
  }

  /** All texts in the end, when all names are known. */
  text(text: string): string {
    this.#known ??= this.#pattern();
    const known = text.replace(this.#known, (word) => this.#tokens.get(word) ?? word);
    return [mail, accountId, address, address6, host].reduce(
      (left, pattern) =>
        left.replace(pattern, (word) => (ours.test(word) || (word.includes('::') && word.length < 4) ? word : this.#tokenOf(word))),
      known,
    );
  }

  readonly #differing = (value: string, field: string): string => (plain.test(value) ? value : this.#valueOf(value, field));

  #valueOf(value: string, field: string): string {
    return value === '' || common.has(lastOf(field)) ? value : this.#tokenOf(value);
  }

  #tokenOf(word: string): string {
    const token = this.#tokens.get(word) ?? `name-${this.#tokens.size + 1}`;
    this.#tokens.set(word, token);
    return token;
  }

  /** The longest first; what is shorter than three letters is a word of any text. */
  #pattern(): RegExp {
    const words = [...this.#tokens.keys()].filter((word) => word.length > 2).toSorted((a, b) => b.length - a.length);
    if (words.length === 0) return /(?!)/g;
    return new RegExp(`(?<![A-Za-z0-9])(?:${words.map(literalPattern).join('|')})(?![A-Za-z0-9])`, 'g');
  }
}
