import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseItems } from './parse-items.ts';

/** Generator of fragments of untrusted text, with control characters and lone surrogates. */
const unit = fc.oneof(
  fc.constantFrom('\u0000', '\u001b', '\u007f', '\u0085', '\ud800', '\udc00', '\u{1f600}', '/', '.', '{id}'),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.stringMatching(/^[a-z]{1,3}$/),
);
const untrustedText = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''));

function surround(text: string): fc.Arbitrary<string> {
  return fc.tuple(untrustedText, untrustedText).map(([before, after]) => `${before}${text}${after}`);
}

const resource = fc.oneof(
  untrustedText.map((text) => `https://api.example.com/${text}`),
  untrustedText.map((text) => `https://${text}.example.com/`),
  untrustedText.map((text) => `https://api.example.com/${text}?a=${text}`),
  surround('https://api.example.com/{id}'),
  surround('ftp://api.example.com/'),
);

const option = fc.record({
  scheme: surround('exact'),
  network: surround('base'),
  maxAmountRequired: surround('10000'),
  asset: surround('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  payTo: surround('0x0000000000000000000000000000000000000001'),
  extra: fc.record({ name: surround('USDC'), version: untrustedText }),
  outputSchema: fc.record({ input: fc.record({ method: surround('GET') }) }),
});

const listed = fc.record(
  {
    resource,
    type: fc.oneof(untrustedText, fc.constant('http')),
    accepts: fc.array(option, { maxLength: 2 }),
    description: untrustedText,
    serviceName: untrustedText,
    extensions: fc.dictionary(untrustedText, untrustedText).map((pathParams) => ({
      bazaar: { info: { input: { method: 'get', pathParams: { ...pathParams, id: 'a\u0000b' } } } },
    })),
  },
  { requiredKeys: ['resource'] },
);

function listTexts(kept: object): string[] {
  const values: unknown[] = Object.values(kept);
  return values.filter((value) => typeof value === 'string');
}

it('counts every item once, and removes control characters and lone surrogates from all texts', () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 4, arbitrary: listed }, fc.jsonValue()), { maxLength: 4 }),
      (items) => {
        const parsed = parseItems(items);
        accepted += parsed.accepted.length;
        expect(parsed.accepted.length + parsed.duplicates + parsed.rejects.length).toBe(items.length);
        expect(new Set(parsed.accepted.map(({ id }) => id)).size).toBe(parsed.accepted.length);
        for (const { reason } of parsed.rejects) expect(reason).not.toBe('');
        // Example values are kept only as part of the probe URL, so they need no separate check.
        const kept = [
          ...parsed.accepted.flatMap((listing) => [listing, ...listing.options]),
          ...parsed.rejects,
        ];
        for (const text of kept.flatMap(listTexts)) {
          expect(text).not.toMatch(/\p{Cc}/u);
          expect(text.isWellFormed()).toBe(true);
        }
      },
    ),
    { numRuns: 400 },
  );
  expect(accepted).toBeGreaterThan(120);
});
