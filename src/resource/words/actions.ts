import type { BodyValue, Call } from '../call.ts';
import type { Duration } from '../duration.ts';
import type { Effect } from './effects.ts';

/** Parameters of an operation as its spec gives them; references are ids. */
export type Given = Readonly<Record<string, BodyValue>>;

/** What an action is done to. */
export interface Acted<Row, Want> {
  readonly path: string;
  /** Its object, in words: `CloudInstance web`. */
  readonly name: string;
  /** As it was read right before. */
  readonly remote: Row;
  /** The spec of its object, with what that recalls. */
  readonly want: Want;
  /** What it is about below that (`inner` of the action); absent where there is none. */
  readonly inner?: object | undefined;
  /** Another of its kind, to which it is done in its place (`onto` of the operation). */
  readonly onto?: Acted<Row, Want> | undefined;
  /** What else it is about (`beside` of the action), by path; a path without a row is not there. */
  readonly beside?: Readonly<Record<string, object | undefined>> | undefined;
  /** The object of the operation's namespace that has a path, in words; undefined where none of that has it. */
  readonly called?: ((path: string) => string | undefined) | undefined;
}

/** What is wrong, and which field of the operation says so. */
export interface Wrong {
  readonly field: string;
  readonly says: string;
}

/** Something that is done once to a remote of this kind, because a person asks for it: nothing is ever brought back to it. */
export interface Action<Row, Want> {
  /** What it does, as the reference says it. */
  readonly says: string;
  readonly effect: Effect;
  readonly call: (acted: Acted<Row, Want>, given: Given) => Call;
  /** It is about more than the target: all that its parameters name, by a call of its own place. */
  readonly beyond?: true;
  /** Actions of the events that tell of the job which the call begins; the kind's `events` lead them here. */
  readonly jobs: readonly string[];
  /**
   * What the remote shows when it is over, where no event tells that: of a call that is known to have been taken. What is not
   * over, or not yet begun, is undefined.
   */
  readonly rests?: (remote: Row) => 'done' | 'failed' | undefined;
  /** Ids of what is there now and shall be gone when it is over: noted before the call, and looked for after it. */
  readonly replaces?: (remote: Row, given: Given) => readonly string[];
  /** The secret part that shall be another one when it is over. Who gives that out is told to read it anew. */
  readonly renews?: (given: Given) => string | undefined;
  /** What it is about below the target: read by itself right before, whatever a list shows. */
  readonly inner?: (path: string, given: Given) => string;
  /** Paths of what it is about besides the target: each read by itself right before. */
  readonly beside?: (remote: Row, given: Given) => readonly string[];
  /** The longest that the job takes. Of one that is not known to have ended by then nobody knows how it ended. */
  readonly within: Duration;
  /** Parts of the remote that its functions need: read right before. */
  readonly parts?: readonly string[];
  /** It sends what the target's spec says: not before all of that is there, Secrets included. */
  readonly wholeSpec?: true;
  /** What makes it wrong now, and what to do instead: of the target (`is powered off; boot it`), or of a field of the operation. It is not done while there is something. */
  readonly against?: (acted: Acted<Row, Want>, given: Given) => string | Wrong | undefined;
  /** What is lost for good, each in words. While there is something, it waits for a person who confirms exactly that. */
  readonly loses?: (acted: Acted<Row, Want>, given: Given) => readonly string[];
}

/** To which kind an action is done, and which of the other fields of the spec it needs, or takes. */
export interface Operated<Field extends string = string> {
  readonly on: string;
  readonly needs?: readonly Field[];
  readonly takes?: readonly Field[];
  /**
   * Which of them names another object of the kind, whose remote is what changes: it is held to all that the target is, looked at
   * the same way, and locked as long.
   */
  readonly onto?: Field;
}
export type Operates<Field extends string = string> = Readonly<Record<string, Operated<Field>>>;

interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath: string;
}

/** Each parameter with the actions that it is for, and with no other. */
export function parameterRules(operates: Operates): readonly Rule[] {
  const all = Object.entries(operates);
  const parameters = [...new Set(all.flatMap(([, { needs = [], takes = [] }]) => [...needs, ...takes]))];
  return parameters.flatMap((field) => {
    const with_ = all.filter(([, { needs = [], takes = [] }]) => [...needs, ...takes].includes(field)).map(([name]) => name);
    const needing = all.filter(([, { needs = [] }]) => needs.includes(field)).map(([name]) => name);
    return [
      {
        rule: `!has(self.${field}) || self.action in ${JSON.stringify(with_)}`,
        message: `${field} goes with action ${with_.join(', ')} alone: leave it out`,
        fieldPath: `.${field}`,
      },
      ...(needing.length === 0
        ? []
        : [
            {
              rule: `has(self.${field}) || !(self.action in ${JSON.stringify(needing)})`,
              message: `action ${needing.join(', ')} needs ${field}: add it`,
              fieldPath: `.${field}`,
            },
          ]),
    ];
  });
}
