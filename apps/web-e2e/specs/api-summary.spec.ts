import { z } from 'zod';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { figure } from '../support/pages/figure.ts';
import { readLedger } from '../support/payment/ledger.ts';
import { verifyDocument } from '../support/payment/signature.ts';
import { expect, test } from '../support/site.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
/** Endpoint that changed its payTo address on day 10 of the simulation. */
const CHANGED = { name: 'mintcheck-nft-rarity', url: 'https://mintcheck.sandbox.test/v1/nft/rarity' };
/** Endpoint whose price rose from $0.02 to $0.40. */
const SPIKED = 'https://tickertape.sandbox.test/v1/options/chain';
const TEMPLATE = 'https://profilehub.sandbox.test/v1/users/{userId}';
const BASE = 'eip155:8453';

const summarySchema = z.looseObject({
  generatedAt: z.iso.datetime(),
  match: z.string().nullable(),
  payTo: z
    .object({
      address: z.string(),
      network: z.string().nullable(),
      observed: z.boolean(),
      current: z.boolean(),
    })
    .nullable(),
  endpoint: z
    .looseObject({
      resource: z.string(),
      endpointPage: z.string(),
      grade: z.string(),
      amountUsd: z.string().nullable(),
      priceRange30d: z.object({ lowUsd: z.string(), highUsd: z.string() }).nullable(),
      payOn: z.array(z.looseObject({ payTo: z.string(), canonicalUsdc: z.boolean() })),
    })
    .nullable(),
});

const getSiteUrl = (): string => process.env['TOUCHSTONE_URL'] ?? '';

/** Requests the summary of an endpoint by its URL. */
function requestSummary(query: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${getSiteUrl()}/v1/x402-summary?${new URLSearchParams(query).toString()}`);
}

async function readSummary(query: Readonly<Record<string, string>>) {
  const response = await requestSummary(query);
  expect(response.status).toBe(200);
  return summarySchema.parse(await response.json());
}

test('the summary has a valid signature, and a changed summary is detected', async () => {
  const response = await requestSummary({ resource: HEALTHY, payTo: `0x${'1'.repeat(40)}`, network: BASE });
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  expect(response.headers.get('ratelimit')).toContain('"summary"');
  const summary = summarySchema.parse(await response.json());
  expect(await verifyDocument(summary)).toBe('valid');
  expect(await verifyDocument({ ...summary, endpoint: { ...summary.endpoint, grade: 'B' } })).toBe('forged');
  expect(await verifyDocument({ ...summary, payTo: { ...summary.payTo, observed: true } })).toBe('forged');
});

test('the statement that an endpoint is unknown is signed, too', async () => {
  const summary = await readSummary({ resource: 'https://unknown.example/v1/rates' });
  expect(summary).toMatchObject({ match: null, payTo: null, endpoint: null });
  expect(await verifyDocument(summary)).toBe('valid');
});

test('the summary says what the page says', async ({ page }) => {
  const { endpoint } = await readSummary({ resource: SPIKED });
  expect(endpoint).toMatchObject({
    resource: SPIKED,
    endpointPage: `${getSiteUrl()}${toEndpointPath(SPIKED)}`,
    recommendation: 'avoid',
    priceRange30d: { lowUsd: '0.020000', highUsd: '0.400000' },
    payOn: [{ payTo: expect.stringMatching(/^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/), canonicalUsdc: true }],
  });
  await page.goto(toEndpointPath(SPIKED));
  await expect(figure(page, 'Price range, last 30 days')).toHaveText('$0.02 to $0.40');
  await expect(page.getByText('Avoid', { exact: true })).toBeVisible();
  const twin = page.locator('link[rel="alternate"][type="application/json"]');
  const response = await page.request.get((await twin.getAttribute('href')) ?? '');
  expect(await response.json()).toMatchObject({ match: 'exact', endpoint: { resource: SPIKED } });
});

test('a payTo address is current, replaced or not observed', async () => {
  const payments = readLedger()?.filter(({ endpoint }) => endpoint === CHANGED.name) ?? [];
  test.skip(payments.length === 0, 'anvil is not available for this platform');
  const [former = '', current = ''] = [payments[0]?.payTo, payments.at(-1)?.payTo];
  expect(former.toLowerCase()).not.toBe(current.toLowerCase());
  const read = async (payTo: string, network = BASE) => {
    const summary = await readSummary({ resource: CHANGED.url, payTo, network });
    expect(await verifyDocument(summary)).toBe('valid');
    return summary.payTo;
  };
  const observed = { address: current, network: BASE, observed: true, current: true };
  expect(await read(current)).toEqual(observed);
  const lower = current.toLowerCase();
  expect(await read(lower)).toEqual({ ...observed, address: lower });
  expect(await read(former)).toEqual({ ...observed, address: former, current: false });
  const unknown = `0x${'1'.repeat(40)}`;
  const never = { observed: false, current: false };
  expect(await read(unknown)).toEqual({ address: unknown, network: BASE, ...never });
  expect(await read(current, 'eip155:137')).toEqual({ address: current, network: 'eip155:137', ...never });
  const anyNetwork = await readSummary({ resource: CHANGED.url, payTo: current });
  expect(anyNetwork.payTo).toEqual({ ...observed, network: null });
});

test('a URL with a query and a filled template get the summary of their endpoint', async () => {
  const withQuery = await readSummary({ resource: `${HEALTHY}?base=EUR` });
  expect(withQuery).toMatchObject({
    requested: { resource: `${HEALTHY}?base=EUR` },
    match: 'path',
    endpoint: { resource: HEALTHY },
  });
  const filled = await readSummary({ resource: TEMPLATE.replace('{userId}', '1029384') });
  expect(filled).toMatchObject({ match: 'template', endpoint: { resource: TEMPLATE, templated: true } });
});

test('an invalid query is refused with the mistake', async () => {
  for (const [query, path] of [
    ['', 'resource'],
    ['?resource=weather', 'resource'],
    ['?resource=http%3A%2F%2F127.0.0.1%2F', 'resource'],
    [`?resource=${encodeURIComponent(HEALTHY)}&payTo=`, 'payTo'],
    [`?resource=${encodeURIComponent(HEALTHY)}&network=a%20b`, 'network'],
  ] as const) {
    const response = await fetch(`${getSiteUrl()}/v1/x402-summary${query}`);
    expect([query, response.status]).toEqual([query, 400]);
    expect(await response.json()).toMatchObject({
      code: 'invalid-request',
      instance: '/v1/x402-summary',
      errors: [{ path }],
    });
  }
});

test('the summary of a page has the URL of the page with .json', async ({ request }) => {
  const path = `${toEndpointPath(HEALTHY)}.json`;
  const response = await request.get(`${path}?network=${BASE}`);
  expect(response.status()).toBe(200);
  expect(response.headers()['cache-control']).toBe('public, max-age=60');
  const summary = summarySchema.parse(await response.json());
  expect(summary).toMatchObject({
    requested: { resource: HEALTHY, payTo: null, network: BASE },
    match: 'exact',
    payTo: null,
  });
  expect(await verifyDocument(summary)).toBe('valid');
  const id = toEndpointPath(HEALTHY).slice(-10);
  const redirect = await request.get(`/endpoint/old-words-${id}.json?payTo=0x1`, { maxRedirects: 0 });
  expect(redirect.status()).toBe(308);
  expect(redirect.headers()['location']).toBe(`${path}?payTo=0x1`);
});

test('a summary of an unknown slug is a problem, and no response is from the page cache', async ({
  request,
}) => {
  const known = `${toEndpointPath(HEALTHY)}.json`;
  for (const path of ['/endpoint/nothing-here-aaaaaaaaaa.json', '/endpoint/nothing.json', known]) {
    // The page cache would store the first response and send it again.
    for (const response of [await request.get(path), await request.get(path)]) {
      expect(response.headers()['x-nextjs-cache']).toBeUndefined();
      if (path === known) continue;
      expect(response.status()).toBe(404);
      expect(response.headers()['content-type']).toBe('application/problem+json');
      expect(response.headers()['cache-control']).toBe('no-store');
      expect(await response.json()).toMatchObject({ code: 'unknown-resource', instance: path });
    }
  }
});
