/** What a change of a field does to the thing, in rising order; everything above the approved effects asks first. */
export const effects = ['InPlace', 'Reboot', 'Rebuild', 'Replace', 'Never'] as const;
export type Effect = (typeof effects)[number];
/** What it means for whoever says yes. */
export const effectMeans = (effect: Effect, kind: Shaped): string => means[effect](kind);

const means: Readonly<Record<Effect, (kind: Shaped) => string>> = {
  InPlace: () => 'it is changed while it runs',
  Reboot: (kind) =>
    isDoneAtRest(kind)
      ? `what spec.${kind.parent?.ref ?? ''} names must be off meanwhile, and is neither shut down nor started for it: you do both`
      : 'it is shut down and started again',
  Rebuild: () => 'it is made anew in its place, or a part of it goes: what that holds is lost, be it data on disks or backups',
  Replace: (kind) =>
    `it is deleted and another is made: its data${isReached(kind) ? ', its id and its addresses' : ' and its id'} are lost`,
  Never: () => 'it cannot be done',
};

interface Shaped {
  readonly status: { readonly shape: object };
  readonly fields: Readonly<Record<string, object>>;
  readonly parent?: { readonly ref: string } | undefined;
}
/** All that asks for it is refused while what it is in runs. */
export function isDoneAtRest({ fields, parent }: Shaped): boolean {
  const rules = Object.values(fields).filter((rule) => 'effect' in rule && rule.effect === 'Reboot');
  return parent !== undefined && rules.length > 0 && rules.every((rule) => 'needs' in rule);
}
/** The account gives it an address: status tells one that no spec asks for. */
const isReached = ({ status, fields }: Shaped): boolean =>
  ['publicIPv4', 'address', 'hostname', 'hosts', 'endpoints'].some((field) => field in status.shape && !(field in fields));
