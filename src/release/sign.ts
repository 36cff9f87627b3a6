import type { Signing } from './options.ts';
import type { Run } from './tools.ts';

const how = ({ key, log }: Signing): readonly string[] => [
  '--yes',
  ...(key === undefined ? [] : ['--key', key]),
  ...(log ? [] : ['--use-signing-config=false', '--tlog-upload=false']),
];
/** crane speaks HTTP to registries on loopback of its own accord, cosign has to be told. */
const insecure = (reference: string): readonly string[] =>
  /^(127\.0\.0\.1|localhost)[:/]/.test(reference) ? ['--allow-http-registry'] : [];

/** Signs what lies in a registry under its digest. */
export const signImage = (reference: string, signing: Signing, run: Run): Promise<unknown> =>
  run('cosign', ['sign', ...how(signing), ...insecure(reference), reference]);

/** Attests a document, for example a list of parts, about what lies in a registry. */
export const attest = (
  reference: string,
  type: string,
  file: string,
  { signing, run }: { readonly signing: Signing; readonly run: Run },
): Promise<unknown> => run('cosign', ['attest', ...how(signing), ...insecure(reference), '--type', type, '--predicate', file, reference]);

/** Writes `FILE.sigstore.json` beside a file. */
export const signFile = (file: string, signing: Signing, run: Run): Promise<unknown> =>
  run('cosign', ['sign-blob', ...how(signing), '--bundle', `${file}.sigstore.json`, file]);
