import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDPOINT_SUMMARY_EXAMPLE } from './response.ts';
import { readMessages } from '../../testing/schema-checks.ts';
import { endpointPageInputSchema, summaryInputSchema } from './operation.ts';

const resource = 'https://api.example.com/v1/weather';
const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

describe('a request for a summary by URL', () => {
  it('keeps the values as they are, because the signed summary repeats them', () => {
    expect(summaryInputSchema.parse({ query: { resource } })).toEqual({ resource });
    const visible = fc.stringMatching(/^[!-~]{1,200}$/);
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), visible, visible, (url, address, network) => {
        const query = { resource: url, payTo: address, network };
        expect(summaryInputSchema.parse({ query })).toEqual(query);
      }),
    );
  });

  const PAY_TO = `\`payTo\` must be a payTo address of 1 to 200 visible ASCII characters, such as ${payTo}`;
  const NETWORK =
    '`network` must be the id of a network of 1 to 200 visible ASCII characters, such as eip155:8453';
  it.each<readonly [object, string]>([
    [{ resource, payTo: '' }, `${PAY_TO}; received "".`],
    [{ resource, payTo: 'undefined' }, `${PAY_TO}; received "undefined".`],
    [{ resource, payTo: [payTo, payTo] }, `${PAY_TO}; received a list of 2 items.`],
    [{ resource, network: 'eip155: 1' }, `${NETWORK}; received "eip155: 1".`],
  ])('%j is explained', (query, message) => {
    expect(readMessages(summaryInputSchema, { query })).toEqual([message]);
  });
});

describe('a request for a summary by slug', () => {
  const parse = (slug: string) => endpointPageInputSchema.safeParse({ query: { payTo }, params: { slug } });

  it('has the slug of the page, also with other words before the id', () => {
    const page = ENDPOINT_SUMMARY_EXAMPLE.endpoint?.endpointPage ?? '';
    const slug = new URL(page).pathname.split('/').at(-1) ?? '';
    expect(parse(slug).data).toEqual({ payTo, slug });
    expect(parse('old-words-abcdefghij').success).toBe(true);
  });

  it.each(['', 'api-example-com', 'ABCDEFGHIJ', 'a/abcdefghij', `${'a'.repeat(191)}abcdefghij`])(
    'refuses the slug %j',
    (slug) => {
      expect(parse(slug).success).toBe(false);
    },
  );
});
