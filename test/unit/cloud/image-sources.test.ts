import { describe, expect, it } from 'vitest';
import { isPublic } from '../../../src/cloud/transfer/addresses.ts';
import { Sources } from '../../../src/cloud/transfer/sources.ts';

const closed = [
  ['this network', '0.0.0.0'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.128.7'],
  ['shared', '100.64.0.1'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['metadata', '169.254.169.254'],
  ['protocol', '192.0.0.192'],
  ['documentation', '203.0.113.9'],
  ['benchmark', '198.18.0.1'],
  ['group', '224.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['unique local', 'fd00:ec2::254'],
  ['unique local', 'fc00::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['group', 'ff02::1'],
  ['loopback as IPv6', '::ffff:127.0.0.1'],
  ['metadata as IPv6', '::ffff:169.254.169.254'],
  ['the same in hexadecimal', '::ffff:a9fe:a9fe'],
  ['the same in full', '0:0:0:0:0:ffff:a9fe:a9fe'],
  ['compatible', '::10.0.0.1'],
  ['translated private', '64:ff9b::10.0.0.1'],
  ['translated private in hexadecimal', '64:ff9b::a00:1'],
  ['local translation', '64:ff9b:1::a00:1'],
  ['6to4', '2002:a00:1::1'],
  ['Teredo', '2001:0:a00:1::1'],
  ['documentation', '2001:db8::1'],
  ['no address', 'localhost'],
  ['nothing', ''],
] as const;
const open = [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a01:4f8::1',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
  '64:ff9b::101:101',
];

describe('an address', () => {
  it.each(closed)('that is %s (%s) is not public', (_, address) => expect(isPublic(address)).toBe(false));
  it.each(open)('%s is public', (address) => expect(isPublic(address)).toBe(true));
});

describe('a source', () => {
  const sources = new Sources(
    [
      { host: 'images.example.com' },
      { host: 'Minio.Example.com', port: 9000 },
      { host: '127.0.0.1', port: 8443 },
      { host: '127.0.0.2' },
      { host: 'localhost', port: 8080 },
      { host: '10.0.0.9' },
      { host: '169.254.169.254', port: 80 },
      { host: '9.9.9.9' },
    ],
    ['9.9.9.9'],
  );
  it.each([
    'https://images.example.com/golden.img.gz?token=x',
    'https://images.example.com:443/golden.img.gz',
    'https://IMAGES.example.com/golden.img.gz',
    'https://minio.example.com:9000/a',
    'http://127.0.0.1:8443/a',
    'https://127.0.0.1:8443/a',
    'http://localhost:8080/a',
  ])('%s is read', (url) => expect(sources.refusal(url)).toBeUndefined());
  it.each([
    ['http://images.example.com/a', 'none of those'],
    ['http://images.example.com:443/a', 'only https'],
    ['ftp://images.example.com/a', 'only https'],
    ['file:///etc/passwd', 'none of those'],
    ['https://images.example.com:8443/a', 'none of those'],
    ['https://images.example.com.evil.org/a', 'none of those'],
    ['https://evil.org/images.example.com', 'none of those'],
    ['https://images.example.com@evil.org/a', 'with a user'],
    ['https://me:secret@images.example.com/a', 'with a user'],
    ['https://minio.example.com/a', 'none of those'],
    ['http://minio.example.com:9000/a', 'only https'],
    ['https://127.0.0.1/a', 'none of those'],
    ['https://127.0.0.2/a', 'not public'],
    ['https://127.1:8444/a', 'none of those'],
    ['https://0x7f000001/a', 'none of those'],
    ['https://2130706434/a', 'not public'],
    ['https://10.0.0.9/a', 'not public'],
    ['https://9.9.9.9/a', 'not public'],
    ['http://169.254.169.254/latest/meta-data', 'only https'],
    ['hunter2', 'no URL'],
    ['', 'no URL'],
  ])('%s is refused, and nothing of it is repeated', (url, says) => {
    const text = sources.refusal(url) ?? '';
    expect(text).toContain(says);
    for (const word of ['evil', 'secret', 'hunter2', 'passwd']) expect(text).not.toContain(word);
  });
  it('of no list is refused with the flag that would admit it', () =>
    expect(new Sources([]).refusal('https://images.example.com/a')).toContain('--image-source'));
  it('opens loopback for its own host and port alone', () => {
    expect([sources.admits('images.example.com', 443, '127.0.0.1'), sources.admits('localhost', 8080, '127.0.0.1')]).toEqual([false, true]);
    expect([sources.admits('localhost', 8080, '10.0.0.1'), sources.admits('127.0.0.2', 443, '127.0.0.2')]).toEqual([false, false]);
  });
});
