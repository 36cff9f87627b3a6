import type { Body } from '../call.ts';

/** How remotes are read where nobody waits for one of them in particular. */
export type Sweep =
  /** Each is read for itself. */
  | { readonly by: 'item' }
  /** The listing of its collection holds whole rows, so it is read instead of the items. */
  | {
      readonly by: 'list';
      /** What is sent along as `X-Filter`, where the collection shows what is none of ours (what others made public). */
      readonly filter?: Body;
      /** A read of one item tells nothing of it: it is looked up in its listing, too. */
      readonly itemFromList?: true;
    };
