type Spec = Readonly<Record<string, unknown>>;

const day = 24 * 3_600_000;

/** A sample's time limit is one of virtual time: on a real clock what is to be done once has a day. */
export const inTime = (spec: Spec): Spec =>
  spec['notAfter'] === undefined ? spec : { ...spec, notAfter: new Date(Date.now() + day).toISOString().replace(/\.\d+Z$/, 'Z') };
