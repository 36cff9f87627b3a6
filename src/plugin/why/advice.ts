/** What is to be done about one object, and the lines for it. */
export interface Advice {
  readonly todo: string;
  readonly commands: readonly string[];
}
