import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSignedBytes } from './signatures.ts';

/** Returns the number with the given IEEE 754 bits in hexadecimal. */
function fromBits(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

describe('canonical JSON, with the examples of RFC 8785', () => {
  it('serializes the sample of section 3.2.2 as in section 3.2.3', () => {
    const sample: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalize(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts names by UTF-16 code units, as in section 3.2.3', () => {
    const sample: unknown = JSON.parse(String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`);
    const order = Array.from((canonicalize(sample) ?? '').matchAll(/:"([^"]*)"/g), ([, name]) => name);
    expect(order).toEqual([
      ...['Carriage Return', 'One', 'Control', 'Latin Small Letter O With Diaeresis', 'Euro Sign'],
      ...['Emoji: Grinning Face', 'Hebrew Letter Dalet With Dagesh'],
    ]);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af6', '1e+23'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555555', '333333333.3333333'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ])('serializes the number %s of appendix B as %s', (hex, text) => {
    expect(canonicalize(fromBits(hex))).toBe(text);
  });

  it.each([Number.NaN, Infinity])('throws for %s', (number) => {
    expect(() => canonicalize(number)).toThrow();
  });
});

describe('toSignedBytes', () => {
  it('does not depend on member order or signature', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
        fc.jsonValue(),
        (bag, signature) => {
          fc.pre(!('signature' in bag));
          const reversed = Object.fromEntries(Object.entries(bag).reverse());
          expect(toSignedBytes({ ...reversed, signature })).toEqual(toSignedBytes(bag));
        },
      ),
    );
  });

  it('returns null for a lone surrogate', () => {
    expect(toSignedBytes({ name: '\ud800' })).toBeNull();
  });
});
