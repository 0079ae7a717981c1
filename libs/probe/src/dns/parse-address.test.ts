import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from './parse-address.ts';

describe('parseAddress', () => {
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
  ] as const)('reads %s', (text, family, value) => {
    expect(parseAddress(text)).toEqual({ family, value });
  });

  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '0x7f.0.0.1',
    '2130706433',
    '256.0.0.1',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '[::1]',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '12345::',
    'fe80::1%eth0',
    '::ffff:1.2.3',
    '1.2.3.4\n',
  ])('takes %j for no address', (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  it('reads every IPv6 number it is written as', () => {
    const number = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
    fc.assert(
      fc.property(number, (value) => {
        const hex = value.toString(16).padStart(32, '0');
        expect(parseAddress(hex.replace(/.{4}(?=.)/g, '$&:'))).toEqual({ family: 6, value });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseAddress(text)));
  });
});
