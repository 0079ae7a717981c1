import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainNonPublicAddress, NON_PUBLIC_RANGES, parseIpAddress } from './ip-address.ts';

describe('parseIpAddress', () => {
  it.each([
    ['0.0.0.0', 4, 0n],
    ['192.0.2.1', 4, 0xc000_0201n],
    ['255.255.255.255', 4, 0xffff_ffffn],
    ['::', 6, 0n],
    ['::1', 6, 1n],
    ['1::', 6, 1n << 112n],
    ['2001:db8::8:800:200c:417a', 6, 0x2001_0db8_0000_0000_0008_0800_200c_417an],
    ['2001:DB8:0:0:8:800:200C:417A', 6, 0x2001_0db8_0000_0000_0008_0800_200c_417an],
    ['::ffff:192.0.2.1', 6, 0xffff_c000_0201n],
    ['1:2:3:4:5:6:192.0.2.1', 6, 0x0001_0002_0003_0004_0005_0006_c000_0201n],
  ] as const)('parses %s', (text, family, value) => {
    expect(parseIpAddress(text)).toEqual({ family, value });
  });

  it.each([
    ...['', 'localhost', '1.2.3', '1.2.3.4.5', '01.2.3.4', '0x7f.0.0.1', '2130706433', '256.0.0.1'],
    ...['1.2.3.4 ', ' 1.2.3.4', '[::1]', ':::', '1::2::3', '1:2:3:4:5:6:7', '12345::', 'fe80::1%eth0'],
    ...['::ffff:1.2.3', '1.2.3.4\n'],
  ])('rejects %j', (text) => {
    expect(parseIpAddress(text)).toBeNull();
  });

  it('parses the full hexadecimal form of every IPv6 number', () => {
    const number = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
    fc.assert(
      fc.property(number, (value) => {
        const hex = value.toString(16).padStart(32, '0');
        expect(parseIpAddress(hex.replace(/.{4}(?=.)/g, '$&:'))).toEqual({ family: 6, value });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseIpAddress(text)));
  });
});

/**
 * Addresses that must be refused, with the expected reason: the first, the last and a middle address of every block.
 */
const refused = [
  ['0.0.0.0', 'this host on this network'],
  ['0.255.255.255', 'this host on this network'],
  ['10.0.0.0', 'private network'],
  ['10.255.255.255', 'private network'],
  ['100.64.0.0', 'shared address space of carriers'],
  ['100.100.100.200', 'shared address space of carriers'],
  ['100.127.255.255', 'shared address space of carriers'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['168.63.129.16', 'platform service of a cloud provider'],
  ['169.254.0.0', 'link-local'],
  ['169.254.169.254', 'link-local'],
  ['169.254.255.255', 'link-local'],
  ['172.16.0.0', 'private network'],
  ['172.31.255.255', 'private network'],
  ['192.0.0.0', 'protocol assignments'],
  ['192.0.0.255', 'protocol assignments'],
  ['192.0.2.0', 'documentation'],
  ['192.0.2.255', 'documentation'],
  ['192.88.99.0', '6to4 relay'],
  ['192.88.99.255', '6to4 relay'],
  ['192.168.0.0', 'private network'],
  ['192.168.255.255', 'private network'],
  ['198.18.0.0', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.0', 'documentation'],
  ['198.51.100.255', 'documentation'],
  ['203.0.113.0', 'documentation'],
  ['203.0.113.255', 'documentation'],
  ['224.0.0.0', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.0', 'reserved'],
  ['255.255.255.254', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['::ffff:7f00:1', 'IPv4-mapped'],
  ['::8.8.8.8', 'IPv4-compatible'],
  ['::ffff:0:8.8.8.8', 'IPv4-translated'],
  ['64:ff9b::8.8.8.8', 'NAT64'],
  ['64:ff9b::ffff:ffff', 'NAT64'],
  ['64:ff9b:1::', 'local NAT64'],
  ['64:ff9b:1:ffff:ffff:ffff:ffff:ffff', 'local NAT64'],
  ['100::', 'discard'],
  ['100::ffff:ffff:ffff:ffff', 'discard'],
  ['2001::', 'Teredo'],
  ['2001:0:ffff:ffff:ffff:ffff:ffff:ffff', 'Teredo'],
  ['2001:2::1', 'protocol assignments'],
  ['2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', 'protocol assignments'],
  ['2001:db8::', 'documentation'],
  ['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'documentation'],
  ['2002::', '6to4'],
  ['2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '6to4'],
  ['3fff::', 'documentation'],
  ['3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'documentation'],
  ['fc00::', 'unique local network'],
  ['fd00:ec2::254', 'unique local network'],
  ['fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'unique local network'],
  ['fe80::', 'link-local'],
  ['febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'link-local'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'multicast'],
  ['1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'not a global unicast address'],
  ['4000::', 'not a global unicast address'],
  ['5f00::1', 'not a global unicast address'],
  ['2a00:1450::5efe:10.0.0.1', 'ISATAP'],
  ['2a00:1450::200:5efe:8.8.8.8', 'ISATAP'],
] as const;

/** Addresses that must be allowed: well-known public addresses, and the addresses next to the refused blocks. */
const allowed = [
  ...['1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0'],
  ...['172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0', '192.88.98.255'],
  ...['192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255'],
  ...['198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '2000::', '2001:200::'],
  ...['2001:4860:4860::8888', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  ...['2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::', '2606:4700:4700::1111'],
  ...['2a00:1450:4001:829::200e', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
];

const notAddresses = [
  ...['', 'localhost', '127.1', '0177.0.0.1', '0x7f000001', '[::1]', 'fe80::1%lo', '1.2.3.4\0'],
];

const cidrV4 = NON_PUBLIC_RANGES.map(([cidr]) => cidr).filter((cidr) => !cidr.includes(':'));

/** Arbitrary IPv4 address within a refused block. */
const refusedV4 = fc.constantFrom(...cidrV4).chain((cidr) => {
  const [base = '', length = ''] = cidr.split('/');
  const first = base.split('.').reduce((value, part) => value * 256 + Number(part), 0);
  return fc.integer({ min: 0, max: 2 ** (32 - Number(length)) - 1 }).map((offset) => {
    const value = first + offset;
    return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
  });
});

const hex = (bytes: readonly number[]): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/.{4}(?=.)/g, '$&:');

describe('explainNonPublicAddress', () => {
  it.each(refused)('refuses %s as %s', (address, reason) => {
    expect(explainNonPublicAddress(address)).toBe(reason);
  });

  it.each(allowed)('accepts %s', (address) => {
    expect(explainNonPublicAddress(address)).toBeNull();
  });

  it.each(notAddresses)('refuses %j as not an IP address', (text) => {
    expect(explainNonPublicAddress(text)).toBe('not an IP address');
  });

  it('refuses a non-public IPv4 address in every IPv6 form that contains it', () => {
    fc.assert(
      fc.property(refusedV4, fc.nat(0xffff), (bytes, any) => {
        const dotted = bytes.join('.');
        const obfuscated = hex(bytes.map((byte) => byte ^ 0xff));
        const forms = [
          dotted,
          `::ffff:${dotted}`,
          `::FFFF:${hex(bytes)}`,
          `0:0:0:0:0:ffff:${hex(bytes)}`,
          `::${dotted}`,
          `::ffff:0:${dotted}`,
          `64:ff9b::${dotted}`,
          `64:ff9b:1:${any.toString(16)}::${dotted}`,
          `2002:${hex(bytes)}::1`,
          `2001:0:${hex(bytes)}::1`,
          `2001::${any.toString(16)}:${obfuscated}`,
          `2600::5efe:${dotted}`,
        ];
        for (const form of forms) expect(explainNonPublicAddress(form), form).not.toBeNull();
      }),
    );
  });

  it('refuses any text that is not an IP address', () => {
    const text = fc.string().filter((candidate) => !/^[0-9a-f.:]+$/i.test(candidate));
    fc.assert(
      fc.property(text, (candidate) => {
        expect(explainNonPublicAddress(candidate)).toBe('not an IP address');
      }),
    );
  });

  it('agrees with BlockList of node:net on IPv4', () => {
    const list = new BlockList();
    for (const cidr of cidrV4) {
      const [base = '', length = ''] = cidr.split('/');
      list.addSubnet(base, Number(length), 'ipv4');
    }
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          refusedV4.map((bytes) => bytes.join('.')),
        ),
        (address) => {
          expect(explainNonPublicAddress(address) !== null).toBe(list.check(address, 'ipv4'));
        },
      ),
    );
  });
});
