import type { Body } from '../call.ts';

/** The listing of its collection holds whole rows, so it is read instead of the items. */
interface ByList {
  readonly by: 'list';
  /** What is sent along as `X-Filter`, where the collection shows what is none of ours (what others made public). */
  readonly filter?: Body;
  /** Of some a read of the item tells more, which the operator knows otherwise: who writes down what is there reads that. */
  readonly itemTellsMore?: true;
  /**
   * A read of one item tells nothing of it: it is looked up in its listing, too. `orById`: a read tells that it is there, and not
   * that it is not, so that what the listing lacks is asked for by its id as well.
   */
  readonly itemFromList?: true | 'orById';
}
/** How remotes are read where nobody waits for one of them in particular. `item`: each is read for itself. */
export type Sweep = { readonly by: 'item' } | ByList;
/** The same of what is always there: `in` is where the whole account has its rows, so that many cost pages and not calls. */
export type SweepOfAll = Pick<ByList, 'by'> & {
  readonly in: string;
  readonly filter?: undefined;
  readonly itemFromList?: undefined;
  readonly itemTellsMore?: undefined;
};
