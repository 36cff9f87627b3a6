/** A piece of TypeScript with its comments and the contents of its texts blanked out, lines kept, so that what is left is code. */
export function codeOf(source: string): string {
  const scanner = new Scanner(source);
  return scanner.run();
}

/** Comments alone are blanked: messages stay. */
export function withoutComments(source: string): string {
  return new Scanner(source, true).run();
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
/** After these a slash begins a regular expression. */
const beforePattern = /(?:^|[=(,:;[!&|?{}+\-*%<>~^\n]|\b(?:return|typeof|case|in|of|void|await))\s*$/;

class Scanner {
  readonly #source: string;
  readonly #keepTexts: boolean;
  #at = 0;
  #out = '';
  /** Depth of braces at which a template goes on. */
  readonly #templates: number[] = [];
  #depth = 0;

  constructor(source: string, keepTexts = false) {
    this.#source = source;
    this.#keepTexts = keepTexts;
  }

  run(): string {
    while (this.#at < this.#source.length) this.#step();
    return this.#out;
  }

  #step(): void {
    const one = this.#source[this.#at] ?? '';
    if (one === '/') return this.#slash();
    if (one === "'" || one === '"') return this.#text(this.#closing(one));
    if (one === '`') return this.#template(this.#at + 1);
    if (one === '}' && this.#templates.at(-1) === this.#depth) return this.#template(this.#at + 1);
    this.#depth += { '{': 1, '}': -1 }[one] ?? 0;
    this.#take();
  }

  /** A comment, a regular expression or a division. */
  #slash(): void {
    const next = this.#source[this.#at + 1];
    if (next === '/') return this.#blankTo(this.#find('\n', this.#at));
    if (next === '*') return this.#blankTo(this.#find('*/', this.#at + 2) + 2);
    if (beforePattern.test(this.#out.slice(-40))) return this.#text(this.#patternEnd());
    this.#take();
  }

  #take(): void {
    this.#out += this.#source[this.#at] ?? '';
    this.#at += 1;
  }

  /** From inside a template to its end, or to the next `${`. */
  #template(from: number): void {
    if (this.#source[this.#at] === '}') this.#templates.pop();
    for (let at = from; at < this.#source.length; at += 1) {
      if (this.#source[at] === '\\') at += 1;
      else if (this.#source[at] === '`') return this.#text(at + 1);
      else if (this.#source.startsWith('${', at)) {
        this.#text(at + 2);
        this.#templates.push(this.#depth);
        return;
      }
    }
    this.#text(this.#source.length);
  }

  #text(end: number): void {
    const text = this.#source.slice(this.#at, end);
    this.#out += this.#keepTexts ? text : `${text.slice(0, 1)}${blank(text.slice(1, -1))}${text.slice(-1)}`;
    this.#at = end;
  }

  #blankTo(end: number): void {
    this.#out += blank(this.#source.slice(this.#at, end));
    this.#at = end;
  }

  #find(text: string, from: number): number {
    const at = this.#source.indexOf(text, from);
    return at === -1 ? this.#source.length : at;
  }

  #closing(quote: string): number {
    let at = this.#at + 1;
    while (at < this.#source.length && this.#source[at] !== quote) at += this.#source[at] === '\\' ? 2 : 1;
    return at + 1;
  }

  #patternEnd(): number {
    let inClass = false;
    for (let at = this.#at + 1; at < this.#source.length; at += 1) {
      const char = this.#source[at];
      if (char === '\\') at += 1;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) return at + 1;
    }
    return this.#source.length;
  }
}
