import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bulk, NOT_IN_CATALOG } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { EXECUTABLE, HOSTILE_TEXT } from '../testing/hostile-text.ts';
import { type PaidRequest, respond, SETTLED } from '../testing/seller.ts';
import { findExample, openToolSeller } from '../testing/tool-seller.ts';
import { formatBulk } from './bulk-text.ts';

type Result = Bulk['results'][number];

const readResources = (body: string) =>
  (JSON.parse(body) as { readonly resources: readonly string[] }).resources;
const toResult = (resource: string, index: number): Result => ({
  resource,
  found: true,
  score: 91.9,
  grade: 'A',
  recommendation: 'proceed',
  confidence: 0.98,
  error_flags: [],
  delivery: null,
  probed_at: '2026-11-23T00:00:00.000Z',
  computed_at: '2026-11-23T00:00:00.000Z',
  endpointPage: `https://touchstone.example/endpoint/e${String(index)}-abcdefghij`,
  schemeVariant: null,
});

/**
 * Starts a service that sells scores. The service sends the results that `change` returns. If `change` returns null,
 * `change` has already sent a response.
 */
async function openBulkSeller(
  change: (results: Result[], sale: PaidRequest) => unknown = (results) => results,
) {
  return openToolSeller({
    onPaid: (sale) => {
      const results = change(readResources(sale.body).map(toResult), sale);
      if (results === null) return;
      const count = readResources(sale.body).length;
      respond(sale.response, { ...findExample('POST', sale.path), count, found: count, results }, SETTLED);
    },
  });
}

const createUrls = (count: number) =>
  Array.from({ length: count }, (_, index) => `${RESOURCE}/${String(index)}`);

/** Runs `touchstone bulk` with a list of URLs in a file. @param input text that the user types on the terminal */
async function runBulk(
  list: string,
  {
    seller,
    args = ['--yes'],
    input,
  }: {
    readonly seller: { readonly base: string };
    readonly args?: readonly string[];
    readonly input?: string;
  },
) {
  using buyer = openBuyer();
  const file = join(buyer.home, 'urls.txt');
  writeFileSync(file, list);
  const result = await buyer.run(['bulk', '--service', seller.base, ...args, file], input);
  return { ...result, stored: buyer.listStoredPayments() };
}

describe('touchstone bulk', () => {
  it('shows the quote, gets confirmation, pays and prints a table', async () => {
    await using seller = await openBulkSeller(([good, bad, unknown]) => [
      good,
      {
        ...bad,
        score: 7.5,
        grade: 'F',
        recommendation: 'avoid',
        error_flags: ['down-now', 'not-payable'],
        delivery: 'mixed',
      },
      { ...unknown, ...NOT_IN_CATALOG, schemeVariant: `${RESOURCE}/2`.replace('https:', 'http:') },
    ]);
    const list = `\uFEFF# my endpoints\n${RESOURCE}/0\r\n\n  ${RESOURCE}/1 \n${RESOURCE}/0\n${RESOURCE}/2`;
    const { code, stdout, stderr, stored } = await runBulk(list, { seller, args: [], input: 'y\n' });
    expect(stderr).toContain('For     the trust scores of 3 endpoints');
    expect(stderr).toContain('Pay $0.045? [y/N]');
    expect(stdout).toContain(
      [
        'Grade  Score  Recommendation  Confidence  Delivery   URL',
        `A       91.9  proceed          0.98 of 1  –          ${RESOURCE}/0`,
        `F        7.5  avoid            0.98 of 1  mixed      ${RESOURCE}/1`,
        '                                                     ✖ down-now, not-payable',
        `–          –  not in catalog           –  –          ${RESOURCE}/2`,
        `                                                     in the catalog: ${RESOURCE.replace('https:', 'http:')}/2`,
        '',
        '2 of 3 URLs are in the catalog.',
        '',
        'Paid $0.045 from ',
      ].join('\n'),
    );
    expect([code, seller.signatures.length, stored]).toEqual([0, 1, []]);
    expect(readResources(seller.bodies[0] ?? '')).toEqual(createUrls(3));
  });

  it.each([
    [1, '$0.045'],
    [11, '$0.20'],
    [100, '$0.325'],
    [200, '$0.40'],
    [500, '$0.50'],
  ])('uses the smallest size that fits for %i URLs', async (count, price) => {
    await using seller = await openBulkSeller();
    const { code, stdout } = await runBulk(createUrls(count).join('\n'), { seller });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Paid ${price} from`)]);
  });

  it('reads a JSON array from standard input, and prints the response unchanged with --json', async () => {
    using buyer = openBuyer();
    await using seller = await openBulkSeller();
    const args = ['bulk', '--service', seller.base, '--yes', '--json', '-'];
    const { code, stdout } = await buyer.run(args, JSON.stringify(createUrls(2)));
    const { results } = JSON.parse(stdout) as Bulk;
    expect([code, results]).toEqual([0, createUrls(2).map(toResult)]);
  });

  it.each([
    { count: 501, args: ['--yes', '--max-usd', '1'], message: 'One purchase has at most 500 URLs' },
    { count: 11, args: [], message: 'Give --yes to pay up to $0.50 without confirmation' },
    { count: 11, args: [], input: 'n\n', message: 'Nothing was signed or charged.' },
    { count: 11, args: ['--yes', '--max-usd', '0.1'], message: 'above the limit of $0.10 (--max-usd)' },
  ])(
    'signs nothing for $count URLs with $args and the input $input',
    async ({ count, message, ...options }) => {
      await using seller = await openBulkSeller();
      const { code, stderr } = await runBulk(createUrls(count).join('\n'), { seller, ...options });
      expect([code, seller.signatures, stderr]).toEqual([2, [], expect.stringContaining(message)]);
    },
  );

  it('rejects a list whose request body would be too long', async () => {
    await using seller = await openBulkSeller();
    const list = createUrls(100).map((url) => `${url}?q=${'x'.repeat(1_000)}`);
    const { code, stderr } = await runBulk(list.join('\n'), { seller });
    expect([code, seller.bodies, stderr]).toEqual([2, [], expect.stringContaining('65,536 bytes')]);
  });

  it.each([
    ['# nothing\n\n', 'The list has no URLs'],
    [`${RESOURCE}\nexample.com\n`, 'Line 2 must be the full URL of the endpoint'],
    ['[1]', 'must then be an array of URLs'],
    ['{"urls": []}', 'must then be an array of URLs'],
    [`["${RESOURCE}", "ftp://x"]`, 'Item 2 must be the full URL'],
  ])('rejects the list %j before a request', async (list, message) => {
    await using seller = await openBulkSeller();
    const { code, stderr } = await runBulk(list, { seller });
    expect([code, seller.bodies, stderr]).toEqual([2, [], expect.stringContaining(message)]);
  });

  it('names all invalid lines, up to ten', async () => {
    await using seller = await openBulkSeller();
    const three = await runBulk(`url,name\n${RESOURCE}\nexample.com\nftp://x`, { seller });
    for (const line of ['Line 1 must', 'Line 3 must', 'Line 4 must', 'Nothing was bought.'])
      expect(three.stderr).toContain(line);
    expect(three.stderr).not.toContain('Line 2');
    const twelve = await runBulk('x\n'.repeat(12), { seller });
    expect(twelve.stderr).toContain('Line 10 must');
    expect(twelve.stderr).not.toContain('Line 11');
    expect(twelve.stderr).toContain('2 more invalid URLs.');
    expect(seller.bodies).toEqual([]);
  });

  it('reads the request body of the API', async () => {
    await using seller = await openBulkSeller();
    const { code } = await runBulk(JSON.stringify({ resources: createUrls(2) }), { seller });
    expect([code, readResources(seller.bodies[0] ?? '')]).toEqual([0, createUrls(2)]);
  });

  it('names a file that does not exist', async () => {
    using buyer = openBuyer();
    const { code, stderr } = await buyer.run(['bulk', '--service', 'http://127.0.0.1:9', 'none.txt']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^none\.txt does not exist\. Give/)]);
  });

  it.each([
    ['in another order', (results: Result[]) => results.toReversed()],
    ['of fewer URLs', (results: Result[]) => results.slice(1)],
    ['that are no scores', () => 'none'],
  ])('prints results %s unchanged, with exit code 2', async (_, change) => {
    await using seller = await openBulkSeller(change);
    const { code, stdout, stderr } = await runBulk(createUrls(3).join('\n'), { seller });
    expect([code, stderr]).toEqual([2, expect.stringContaining('not a list of scores of these URLs')]);
    expect(JSON.parse(stdout)).toMatchObject({ schemaType: 'x402-trust-bulk' });
  });

  it('prints no control characters of the service', async () => {
    await using seller = await openBulkSeller((results) =>
      results.map((result) => ({ ...result, recommendation: '\u001b[2J\u202e' })),
    );
    const { stdout, stderr } = await runBulk(RESOURCE, { seller });
    expect(stdout).toContain('\\u001b[2J\\u202e');
    expect(stdout + stderr).not.toMatch(EXECUTABLE);
  });

  it('prints one line for each URL, whatever the URL contains', () => {
    fc.assert(
      fc.property(HOSTILE_TEXT, (resource) => {
        const text = formatBulk(
          { results: [toResult(resource, 0)] },
          { paint: (_, part) => part, width: 80 },
        );
        expect(text).not.toMatch(EXECUTABLE);
        expect(text.split('\n').length).toBe(5);
      }),
    );
  });
});
