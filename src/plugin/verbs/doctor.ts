import { nowhere } from '../cluster/select.ts';
import type { Verb } from '../command.ts';
import { checks } from '../doctor/checks.ts';
import type { Found } from '../doctor/found.ts';
import { patientOf } from '../doctor/patient.ts';
import { on } from '../flag.ts';
import type { DoctorData } from '../output/shapes.ts';

/** So many of one check are shown; `-o json` has all. */
const most = 5;

/** Looks for what is wrong with an installation, and says what to do about each. */
export const doctor: Verb = async ({ session, flags }) => {
  const namespace = on(flags, 'allNamespaces') ? undefined : await session.namespace();
  const patient = await patientOf({ session, flags }, namespace);
  if (patient.accounts.length + patient.objects.length === 0)
    session.warn(`the checks of accounts and objects had nothing to look at: there is none${await nowhere({ session, flags })}`);
  const results = checks
    .filter((check) => check.with === undefined || on(flags, check.with))
    .map(({ id, about, look }) => ({ id, about, found: look(patient) }));
  const findings = results.flatMap(({ id, about, found }): DoctorData['findings'] =>
    found.length === 0 ? [{ id, severity: 'ok', seen: about }] : found.map((one) => ({ id, ...one })),
  );
  const bad = findings.some(({ severity }) => severity === 'fail' || (severity === 'warn' && on(flags, 'strict')));
  return { exit: bad ? 1 : 0, kind: 'Doctor', data: { findings } satisfies DoctorData, lines: results.flatMap(linesOf) };
};

function linesOf({
  id,
  about,
  found,
}: {
  readonly id: string;
  readonly about: string;
  readonly found: readonly Found[];
}): readonly string[] {
  if (found.length === 0) return [`ok    ${id}  ${about}`];
  const lines = found.slice(0, most).flatMap(({ severity, seen, todo }) => [`${severity}  ${id}  ${seen}`, `           ${todo}`]);
  return [...lines, ...(found.length > most ? [`           and ${found.length - most} more: -o json lists them all`] : [])];
}
