import type { AnyWant, Row } from '../../../src/resource/index.ts';
import { refusals } from '../../conformance/admission.ts';
import { fixtures } from '../../conformance/case.ts';
import type { AnyFixture } from '../../conformance/fixture.ts';
import { kindOf, type Manifest } from '../scenario/scenario.ts';

/** Another object like this one, of which the account can tell it: another name, and where that does not do another natural key. */
export function siblingOf(manifest: Manifest, name: string, mark = name): Manifest {
  const fixture = fixtures.find((one) => kindOf(one).kind === manifest.kind);
  if (fixture === undefined) throw new Error(`${manifest.kind} has no fixture`);
  return { ...manifest, name, spec: distinct(fixture, unbound(fixture, manifest.spec), mark) };
}

/** Without the lists of references that it need not have: what they lead to may take only one. */
const unbound = (fixture: AnyFixture, spec: Row): Row =>
  Object.keys(spec)
    .filter((field) => field.endsWith('Refs'))
    .reduce((kept, field) => {
      const { [field]: _reference, ...others } = kept;
      return isAdmitted(fixture, others) ? others : kept;
    }, spec);

/**
 * A label of its own is left out, so that the operator derives one from the name; what is marked with its name needs nothing;
 * else a field that the key reads is changed.
 */
function distinct(fixture: AnyFixture, spec: Row, mark: string): Row {
  const label = kindOf(fixture).label?.field;
  // Each of them is another one.
  if (isCounted(fixture)) return spec;
  if (label !== undefined) return Object.fromEntries(Object.entries(spec).filter(([field]) => field !== label));
  if (isToldByName(fixture)) return spec;
  for (const [field, value] of Object.entries(spec)) {
    if (typeof value !== 'string' || !isOfKey(fixture, field)) continue;
    const changed = { ...spec, [field]: `${mark}-${value}` };
    if (isAdmitted(fixture, changed)) return changed;
  }
  throw new Error(`no field of ${kindOf(fixture).kind} can be changed so that another remote is meant`);
}

/** Its key names nothing. */
export const isCounted = (fixture: AnyFixture): boolean => kindOf(fixture).key?.names === false;

/** What marks it is made of the object's name. */
export const isToldByName = (fixture: AnyFixture | undefined): boolean =>
  fixture !== undefined && kindOf(fixture).marked !== undefined && kindOf(fixture).label === undefined && isOfKey(fixture, 'name');

const isOfKey = (fixture: AnyFixture, field: string): boolean => {
  const key = (want: Row): string => JSON.stringify(kindOf(fixture).key?.of(want as AnyWant) ?? {});
  return key(fixture.want) !== key({ ...fixture.want, [field]: `another-${String(fixture.want[field])}` });
};

function isAdmitted(fixture: AnyFixture, spec: Row): boolean {
  const { lifecycle: _lifecycle, ...own } = spec;
  return refusals(kindOf(fixture), own).length === 0;
}
