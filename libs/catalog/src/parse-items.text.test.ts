import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseItems } from './parse-items.ts';

/** Text as strangers may send it: control characters and half surrogate pairs among letters. */
const unit = fc.oneof(
  fc.constantFrom('\u0000', '\u001b', '\u007f', '\u0085', '\ud800', '\udc00', '\u{1f600}', '/', '.', '{id}'),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.stringMatching(/^[a-z]{1,3}$/),
);
const hostile = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''));

function around(text: string): fc.Arbitrary<string> {
  return fc.tuple(hostile, hostile).map(([before, after]) => `${before}${text}${after}`);
}

const resource = fc.oneof(
  hostile.map((text) => `https://api.example.com/${text}`),
  hostile.map((text) => `https://${text}.example.com/`),
  hostile.map((text) => `https://api.example.com/${text}?a=${text}`),
  around('https://api.example.com/{id}'),
  around('ftp://api.example.com/'),
);

const option = fc.record(
  {
    scheme: around('exact'),
    network: around('base'),
    maxAmountRequired: around('10000'),
    amount: around('1'),
    asset: around('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
    currency: hostile,
    payTo: around('0x0000000000000000000000000000000000000001'),
    recipient: hostile,
    description: hostile,
    extra: fc.record({ name: around('USDC'), version: hostile }),
    outputSchema: fc.record({ input: fc.record({ method: around('GET') }) }),
  },
  { requiredKeys: ['network'] },
);

const listed = fc.record(
  {
    resource,
    type: fc.oneof(hostile, fc.constant('http')),
    accepts: fc.array(option, { maxLength: 2 }),
    description: hostile,
    serviceName: hostile,
    metadata: fc.record({ description: hostile }),
    extensions: fc.record({
      bazaar: fc.record({
        info: fc.record({
          input: fc.record({
            method: around('get'),
            pathParams: fc.oneof(
              hostile.map((id) => ({ id })),
              fc.dictionary(hostile, hostile),
            ),
          }),
        }),
      }),
    }),
  },
  { requiredKeys: ['resource'] },
);

/** Texts among the values of an object. */
function textsIn(kept: object): string[] {
  const values: unknown[] = Object.values(kept);
  return values.filter((value) => typeof value === 'string');
}

it('keeps no control character and no half of a surrogate pair, of whatever is listed', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(listed, { maxLength: 4 }), (items) => {
      const parsed = parseItems(items);
      accepted += parsed.accepted.length;
      // Example values are left out: they live on only in the address to be probed, which is one of the texts.
      const kept = [
        ...parsed.accepted.flatMap((listing) => [listing, ...listing.options]),
        ...parsed.rejects,
      ];
      for (const text of kept.flatMap(textsIn)) {
        expect(text).not.toMatch(/\p{Cc}/u);
        expect(text.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(300);
});
