import type { LedgerObject } from '../../emulator/core/ledger.ts';

type Life = Pick<LedgerObject, 'collection' | 'row'>;

/** A tag that came to be with what carries it, a colleague's edit too: nobody made it, and it stays when that goes. */
export const isCarried = ({ collection, row }: Life): boolean => collection === 'tags' && 'carried' in row;
