/** What the generated cases came to in a mutated tree. */
export type Trial =
  | { readonly killed: true; readonly case: string; readonly oracle: string; readonly message: string; readonly tried: number }
  | { readonly killed: false; readonly tried: number; readonly broken?: string };

export interface Verdict {
  readonly id: string;
  readonly promise: string;
  readonly trial: Trial;
  readonly seconds: number;
}
