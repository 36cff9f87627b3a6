import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** One value of DER: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const time = (text: string): Buffer => der(0x18, Buffer.from(text));

const ed25519 = sequence(der(0x06, bytes('2b6570')));
const commonName = (name: string): Buffer => sequence(der(0x31, sequence(der(0x06, bytes('550403')), der(0x0c, Buffer.from(name)))));
/** Critical: it is an authority. */
const basicConstraints = sequence(der(0x06, bytes('551d13')), der(0x01, bytes('ff')), der(0x04, sequence(der(0x01, bytes('ff')))));

const seedOf = (name: string): Buffer => createHash('sha256').update(name).digest();
const keyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([bytes('302e020100300506032b657004220420'), seed]), format: 'der', type: 'pkcs8' });
/** PEM of the private key of the authority of this name. */
export const authorityKey = (name: string): string => keyOf(seedOf(name)).export({ type: 'pkcs8', format: 'pem' }).toString();

/** PEM of a self-signed X.509 authority that every client can parse; the same name always gives the same one. Good from 2020 to 2099. */
export function certificateAuthority(name: string): string {
  const seed = seedOf(name);
  const key = keyOf(seed);
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const signed = sequence(
    der(0xa0, der(0x02, bytes('02'))),
    der(0x02, Buffer.concat([bytes('01'), seed.subarray(0, 8)])),
    ed25519,
    commonName(name),
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    commonName(name),
    publicKey,
    der(0xa3, sequence(basicConstraints)),
  );
  const whole = sequence(signed, ed25519, der(0x03, bytes('00'), sign(null, signed, key)));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
