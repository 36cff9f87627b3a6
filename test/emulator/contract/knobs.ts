export type RateProfile = 'published-2026' | 'recorded-2023' | 'none';

/** What is not established about the service, or contradictory. Set by options and through the control port. */
export interface Knobs {
  /** Does the service refuse a second volume with the same label? */
  volumeLabelsUnique: boolean;
  clusterLabelsUnique: boolean;
  /** Firewall labels must begin with a letter (recorded) or may begin with a digit (documents). */
  firewallLabelBeginsWithLetter: boolean;
  /** Lists show the state of so many seconds ago; reads by id are live. */
  listLagSeconds: number;
  /** Filters on `tags` and `label` match the values of so many seconds ago. */
  filterLagSeconds: number;
  /** A write is committed, and answered, so many seconds after it was received (at most 60). */
  commitDelaySeconds: number;
  /** Every answer takes so long. */
  latencyMilliseconds: number;
  /** Support enabled the account for public addresses beyond the included one (document 2, Instance firewalls and addresses). */
  extraPublicAddresses: boolean;
  /** Refusals of a taken name whose text nobody recorded: `Domain must be unique`, or the generic `domain is not valid`. */
  takenText: 'worded' | 'generic';
  /** Instances that the account may have; one more is refused with `Account Limit reached. ...`. 0: no limit. */
  instanceLimit: number;
  /** Answers of a rebuild and of a database update still show the state before. */
  staleEcho: boolean;
  /** Refuse what the service refused for months though it is filterable: `image` of instances, nearly all fields of databases. */
  refusedFilters: boolean;
  /** Reads of a new disk by id answer 404 for so many seconds. */
  newDiskUnseenSeconds: number;
  /** A resized instance that was running is booted again. */
  resizeBootsAgain: boolean;
  /** `ssl_connection` of a mysql database when the request leaves it out (decision b). */
  mysqlSslDefault: boolean;
  /** How long a database takes to be made: the median of recorded ones is half an hour. */
  databaseSeconds: number;
  /** DELETE of an attached volume: taken (recorded, instance offline), or refused until it is detached (documents). */
  attachedVolumeDelete: 'taken' | 'refused';
  /** A label of an instance can be used again: at once (recorded), or when the delete job has ended. */
  deletedLabelFree: 'at-once' | 'after-the-job';
  /** Object storage is refused while the balance is below zero (document 3); in fact that is a credit. */
  creditRefusesObjectStorage: boolean;
  /** Every new bucket holds an object of this name, which neither counts nor keeps the bucket: it stands for what others put there. Empty: none. */
  bucketsHold: string;
  /** Emit `lke_cluster_create` (decision a). */
  clusterEvents: boolean;
  /** Bytes of a request's body; more is 413. */
  requestBytes: number;
  /** Bytes of the compressed image that an upload may bring (document 1, Limits). */
  imageUploadBytes: number;
  /** Every charge of a card fails. */
  cardsDeclined: boolean;
  /** Managed monitoring answers 403 until the account has enabled it. */
  managedMustBeEnabled: boolean;
  /** Whatever asks for a token answers 403: the account is not activated. */
  accountInactive: boolean;
  /** A page after the last one: an empty page, or 404. */
  pastEndPage: 'empty' | 'refused';
  rateProfile: RateProfile;
  rateWindow: 'fixed' | 'sliding';
  /** Share of jobs (0..1) that end `failed`. */
  jobFailureRate: number;
}

export const defaultKnobs: Readonly<Knobs> = {
  volumeLabelsUnique: false,
  clusterLabelsUnique: false,
  firewallLabelBeginsWithLetter: true,
  listLagSeconds: 0,
  filterLagSeconds: 0,
  commitDelaySeconds: 0,
  latencyMilliseconds: 0,
  extraPublicAddresses: false,
  takenText: 'worded',
  instanceLimit: 0,
  staleEcho: false,
  refusedFilters: false,
  newDiskUnseenSeconds: 0,
  resizeBootsAgain: true,
  mysqlSslDefault: false,
  databaseSeconds: 1705,
  attachedVolumeDelete: 'refused',
  deletedLabelFree: 'after-the-job',
  creditRefusesObjectStorage: false,
  bucketsHold: '',
  clusterEvents: false,
  requestBytes: 8 * 2 ** 20,
  imageUploadBytes: 5 * 2 ** 30,
  cardsDeclined: false,
  managedMustBeEnabled: false,
  accountInactive: false,
  pastEndPage: 'empty',
  rateProfile: 'published-2026',
  rateWindow: 'fixed',
  jobFailureRate: 0,
};

const choices: Readonly<Record<string, readonly string[]>> = {
  attachedVolumeDelete: ['taken', 'refused'],
  deletedLabelFree: ['at-once', 'after-the-job'],
  pastEndPage: ['empty', 'refused'],
  rateProfile: ['published-2026', 'recorded-2023', 'none'],
  rateWindow: ['fixed', 'sliding'],
  takenText: ['worded', 'generic'],
};

/** Throws on an unknown name and on a value that the knob does not take. */
export function checkedKnobs(change: object): Partial<Knobs> {
  for (const [name, value] of Object.entries(change) as [string, unknown][]) {
    const known: unknown = Object.entries(defaultKnobs).find(([knob]) => knob === name)?.[1];
    const fits = typeof known === typeof value && (choices[name]?.includes(value as string) ?? true);
    if (known === undefined || !fits) throw new RangeError(`no knob ${name} that takes ${JSON.stringify(value)}`);
  }
  return change;
}
