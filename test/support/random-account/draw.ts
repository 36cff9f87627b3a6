import { seeded } from '../seeded.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
export const letters = `${lower}${lower.toUpperCase()}`;
export const digits = '0123456789';
const ordinary = `${lower}${digits} `.split('');
/** What people type into labels that have no alphabet. */
const typed = [...`${letters}${digits} .,:;#'"-_/\\{}[]@%&*!?|>~=+`.split(''), 'é', 'ß', '日', '本', 'Ω', '\u200b', '🙂'];

/** Everything random of one program, from one seed. */
export class Draw {
  /** Of the program: what must be unique in an account has it in its name. */
  readonly number: number;
  readonly #random: () => number;
  #named = 0;

  constructor(seed: number, number: number) {
    this.number = number;
    this.#random = seeded(Math.imul(seed, 1_000_003) + number);
  }

  /** 0 to `most - 1`. */
  below(most: number): number {
    return Math.floor(this.#random() * most);
  }
  /** Both ends may come, and come more often than the rest: mistakes are there. */
  from(least: number, most: number): number {
    if (this.chance(0.1)) return least;
    return this.chance(0.1) ? most : least + this.below(most - least + 1);
  }
  chance(share: number): boolean {
    return this.#random() < share;
  }
  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T;
  }
  /** In no order, none twice. */
  some<T>(all: readonly T[], most = all.length): readonly T[] {
    const left = [...all];
    return Array.from({ length: Math.min(this.below(most + 1), left.length) }, () => left.splice(this.below(left.length), 1)[0] as T);
  }
  /** Each field is there or not. */
  maybe(fields: Readonly<Record<string, () => unknown>>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      Object.entries(fields)
        .filter(() => this.chance(0.4))
        .map(([name, value]) => [name, value()]),
    );
  }
  times<T>(least: number, most: number, one: () => T): readonly T[] {
    return Array.from({ length: this.from(least, most) }, one);
  }

  of(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('');
  }
  /** Any characters at all, most of them ordinary. */
  text(least: number, most: number): string {
    const length = this.from(least, most);
    const all = this.chance(0.7) ? ordinary : typed;
    let text = '';
    while (text.length < length) text += this.pick(all);
    return `${this.of(letters, 1)}${text}`.slice(0, length).replace(/[\uD800-\uDBFF]$/, '!');
  }
  /** Of any length up to `most`, and no other of the account is called so. */
  name(most: number, joints = '-'): string {
    this.#named += 1;
    const own = `${this.of(letters, 1)}${this.number}${this.of(joints, 1)}${this.#named}`;
    const more = this.from(0, most - own.length - 1);
    if (more <= 0) return own;
    const tail = this.of(`${letters}${digits}`, more);
    return this.chance(0.5) ? `${own}${this.of(joints, 1)}${tail}` : `${own}${tail}`;
  }
  /** Labels that may hold anything. */
  label(most: number): string {
    this.#named += 1;
    return `${this.text(0, most - 12)}${this.number}.${this.#named}`.padStart(3, 'x');
  }
  tags(): readonly string[] {
    return this.chance(0.5)
      ? []
      : this.times(1, 4, () => this.pick(['web', 'production', 'team:shop', 'a b c', 'Cost Centre 12', 'x'.repeat(50), '0815', 'true']));
  }
  ipv4(): string {
    return `203.0.113.${this.below(256)}`;
  }
  ipv6(): string {
    return this.pick(['2001:db8::1', '2001:DB8:0:0:0:0:0:2', '::1', 'fd00::aBcD', '2001:db8::192.0.2.33']);
  }
}
