import { fixtures } from '../../conformance/case.ts';
import { kindOf, type Manifest, manifestOf } from './scenario.ts';

/** An object of another kind under the same name, of the first kind that needs nothing else. */
export function strangerTo({ kind, name }: Manifest): Manifest {
  const other = fixtures.find(
    (one) => kindOf(one).mode === 'collection' && kindOf(one).kind !== kind && Object.keys(one.needs ?? {}).length === 0,
  );
  if (other === undefined) throw new Error('no kind stands alone, so that none can stand in for another');
  return manifestOf(other, name, {});
}
