import { createHash } from 'node:crypto';
import { z } from 'zod';
import { expect, it } from 'vitest';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { listElements } from '../support/pages/page-head.ts';
import { readEndpointPage, readFigure, readVerdictText } from '../support/pages/page-text.ts';
import { verifyDocument } from '../support/payment/signature.ts';
import { getSiteUrl, request } from '../support/site-request.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
/** Endpoint whose price rose from $0.02 to $0.40. */
const SPIKED = 'https://tickertape.sandbox.test/v1/options/chain';
const BASE = 'eip155:8453';

const summarySchema = z.looseObject({
  generatedAt: z.iso.datetime(),
  match: z.string().nullable(),
  payTo: z
    .looseObject({
      address: z.string(),
      network: z.string().nullable(),
      observed: z.boolean(),
      current: z.boolean(),
      varies: z.boolean(),
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

const rangeSchema = z.looseObject({ endpoints: z.array(z.looseObject({ resource: z.string() })) });

/** Requests the summary of an endpoint by its URL. */
function requestSummary(query: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${getSiteUrl()}/v1/x402-summary?${new URLSearchParams(query).toString()}`);
}

async function readSummary(query: Readonly<Record<string, string>>) {
  const response = await requestSummary(query);
  expect(response.status).toBe(200);
  return summarySchema.parse(await response.json());
}

it('the summary has a valid signature, and a changed summary is detected', async () => {
  const response = await requestSummary({ resource: HEALTHY, payTo: `0x${'1'.repeat(40)}`, network: BASE });
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  expect(response.headers.get('ratelimit')).toContain('"summary"');
  const summary = summarySchema.parse(await response.json());
  expect(await verifyDocument(summary)).toBe('valid');
  expect(await verifyDocument({ ...summary, endpoint: { ...summary.endpoint, grade: 'B' } })).toBe('forged');
  expect(await verifyDocument({ ...summary, payTo: { ...summary.payTo, observed: true } })).toBe('forged');
});

it('the summaries of a range have a valid signature, and the verdict of the summary', async () => {
  const host = createHash('sha256').update(new URL(HEALTHY).host).digest('hex');
  const response = await request(`/v1/summaries/${host.slice(0, 1)}`);
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  const range = rangeSchema.parse(await response.json());
  expect(await verifyDocument(range)).toBe('valid');
  const { endpoint } = await readSummary({ resource: HEALTHY });
  const found = range.endpoints.find(({ resource }) => resource === HEALTHY);
  expect(found).toMatchObject({ grade: endpoint?.grade, listing: 'directory' });
});

it('the summary says what the page says', async () => {
  const { endpoint } = await readSummary({ resource: SPIKED });
  expect(endpoint).toMatchObject({
    resource: SPIKED,
    endpointPage: `${getSiteUrl()}${toEndpointPath(SPIKED)}`,
    recommendation: 'avoid',
    priceRange30d: { lowUsd: '0.020000', highUsd: '0.400000' },
    payOn: [
      { payTo: expect.stringMatching(/^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/) as unknown, canonicalUsdc: true },
    ],
  });
  const html = await readEndpointPage(SPIKED);
  for (const [label, value] of [
    ['Confidence', String(endpoint?.['confidence'])],
    ['Uptime ', String(endpoint?.['uptime30d'])],
    ['Price stability', String(endpoint?.['priceStability'])],
    ['First seen', String(endpoint?.['firstSeen']).slice(0, 10)],
    ['Error flags', String(endpoint?.['errorFlags'])],
    ['Warnings', String(endpoint?.['warningFlags'])],
  ] as const)
    expect(readFigure(html, label), label).toContain(value);
  expect(readFigure(html, 'Price range, last 30 days')).toBe('$0.02 to $0.40');
  expect(readVerdictText(html)).toContain('Avoid');
  const twin = listElements(html, 'link').find((link) => link['type'] === 'application/json');
  const response = await request(twin?.['href'] ?? '');
  expect(await response.json()).toMatchObject({ match: 'exact', endpoint: { resource: SPIKED } });
});

it('no summary, badge or picture is from the page cache, and an unknown one is a problem', async () => {
  const id = toEndpointPath(HEALTHY).slice(-10);
  for (const [path, status] of [
    [`${toEndpointPath(HEALTHY)}.json`, 200],
    ['/endpoint/nothing-here-aaaaaaaaaa.json', 404],
    [`/badge/${id}.svg`, 200],
    ['/badge/aaaaaaaaaa.svg', 404],
    [`/badge/${id}.png`, 404],
    ['/picture/nothing-here-aaaaaaaaaa.png', 404],
    [`/picture/other-${id}.png`, 404],
  ] as const) {
    // Each path is requested twice, because the page cache would send a stored response only to the second request.
    for (const response of [await request(path), await request(path)]) {
      expect([path, response.status, response.headers.get('x-nextjs-cache')]).toEqual([path, status, null]);
      if (status === 200) continue;
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ code: 'unknown-resource', instance: path });
    }
  }
});
