import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { Patient } from '../patient/patient.ts';

/** `info`: nothing is wrong, and yet something was not looked at; it never makes the exit code. */
export type Severity = 'info' | 'warn' | 'fail';
/** One thing that is to be known. */
export interface Found {
  readonly severity: Severity;
  readonly seen: string;
  readonly todo: string;
  /** All of them, where `seen` names a few. */
  readonly objects?: readonly string[];
}
export interface Check {
  readonly id: string;
  /** What is looked at, in words that follow "ok:". */
  readonly about: string;
  /** The flag that asks for it; absent: always. */
  readonly with?: 'account' | 'gitops' | 'recovery' | 'asCi';
  /** Goes behind that: how old it is where nothing is found. */
  readonly asOf?: (patient: Patient) => string;
  readonly look: (patient: Patient) => readonly Found[];
  /** What of it could not be looked at, and why. Nothing found is no "ok" then. */
  readonly unlooked?: Unlooked;
}
export type Unlooked = (patient: Patient) => readonly string[];

/** Of each object for which something is wrong, one finding. */
export const each =
  (of: 'accounts' | 'objects', wrong: (object: Resource, patient: Patient) => Found | undefined): Check['look'] =>
  (patient) =>
    patient[of].flatMap((object) => wrong(object, patient) ?? []);
export const info = (seen: string, todo: string): Found => ({ severity: 'info', seen, todo });
export const warn = (seen: string, todo: string): Found => ({ severity: 'warn', seen, todo });
export const fail = (seen: string, todo: string): Found => ({ severity: 'fail', seen, todo });
export const when = (is: boolean, found: () => Found): Found | undefined => (is ? found() : undefined);
