import { nothingThere } from '../cluster/select.ts';
import type { Verb } from '../command-line/command.ts';
import { checks } from './checks/checks.ts';
import type { Found } from './checks/found.ts';
import { patientOf } from './patient/patient.ts';
import { on } from '../command-line/flag.ts';
import type { DoctorData } from '../output/shapes.ts';

/** So many of one check are shown; `-o json` has all. */
const most = 5;

/** Looks for what is wrong with an installation, and says what to do about each. */
export const doctor: Verb = async ({ session, flags }) => {
  const namespace = on(flags, 'allNamespaces') ? undefined : await session.namespace();
  const patient = await patientOf({ session, flags }, namespace);
  if (patient.accounts.length + patient.objects.length === 0)
    session.warn(await nothingThere({ session, flags }, 'the checks of accounts and objects had nothing to look at: there is none'));
  const results = checks
    .filter((check) => check.with === undefined || on(flags, check.with))
    .map(({ id, about, look, unlooked, asOf }) => ({
      id,
      about,
      asOf: asOf?.(patient) ?? '',
      found: look(patient),
      // What stands in the way is one lease or endpoint of many accounts.
      unlooked: [...new Set(unlooked?.(patient))],
    }));
  const findings = results.flatMap(findingsOf);
  const bad = findings.some(({ severity }) => severity === 'fail' || (severity === 'warn' && on(flags, 'strict')));
  return { exit: bad ? 1 : 0, kind: 'Doctor', data: { findings } satisfies DoctorData, lines: results.flatMap(linesOf) };
};

interface Result {
  readonly id: string;
  readonly about: string;
  readonly asOf: string;
  readonly found: readonly Found[];
  /** Why something of it was not looked at. */
  readonly unlooked: readonly string[];
}

const notChecked = (about: string, why: string): string => `${about}: not checked: ${why}`;

function findingsOf({ id, about, asOf, found, unlooked }: Result): DoctorData['findings'] {
  if (found.length + unlooked.length === 0) return [{ id, severity: 'ok', seen: `${about}${asOf}` }];
  return [
    ...found.map(({ objects, ...one }) => ({ id, ...one, ...(objects && { objects: [...objects] }) })),
    ...unlooked.map((why) => ({ id, severity: 'notChecked' as const, seen: notChecked(about, why) })),
  ];
}

function linesOf({ id, about, asOf, found, unlooked }: Result): readonly string[] {
  if (found.length + unlooked.length === 0) return [`ok    ${id}  ${about}${asOf}`];
  return [
    ...short(found.map(({ severity, seen, todo }) => [`${severity}  ${id}  ${seen}`, `           ${todo}`])),
    ...short(unlooked.map((why) => [`?     ${id}  ${notChecked(about, why)}`])),
  ];
}

const short = (all: readonly (readonly string[])[]): readonly string[] => [
  ...all.slice(0, most).flat(),
  ...(all.length > most ? [`           and ${all.length - most} more: -o json lists them all`] : []),
];
