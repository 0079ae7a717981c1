import type { Snapshot } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { renderReport as render } from './testing/render-report.tsx';
import { createEndpointMetadata } from './endpoint-report.tsx';

const renderText = (overrides?: Partial<Snapshot>) => extractText(render(overrides));
const [option] = createTestSnapshot().payOn;
const payWith = (change: object) => ({ payOn: [{ ...option, ...change } as Snapshot['payOn'][number]] });

const FAILURE = {
  at: '2026-03-04T12:00:00.000Z',
  since: '2026-02-20T08:30:00.000Z',
  phase: 'response' as const,
  httpStatus: 410,
  error: 'http-410',
  detail: 'HTTP 410 Gone.',
  causes30d: { timeout: 2, 'http-410': 1_061 },
};
const failWith = (change: object) => ({
  failingSince: FAILURE.since,
  lastFailure: { ...FAILURE, ...change },
});
const MANY_CAUSES = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`http-59${at}`, 9 - at]));

/** Snapshots, each with texts that must be on its page and texts that must not be on its page. */
const CASES: readonly (readonly [Partial<Snapshot>, readonly string[], readonly string[]])[] = [
  [{ resource: 'https://api.example.com' }, ['api.example.com / /'], []],
  [
    { uptime30d: null, latencyMsP50: null, latencyMsP95: null, probes30d: 12, probedPerDay: null },
    [
      'Uptime in the last 30 days no probe could be scored',
      'Probes, last 30 days 12 ',
      'Probe schedule about one every 30 minutes',
    ],
    ['not probed'],
  ],
  [{ uptime30d: 99.97 }, ['Uptime in the last 30 days 99.9 %'], []],
  [
    {
      ...{ uptime30d: 100, probes30d: 1440, scoredProbes30d: 94, blocked30d: 578 },
      blockedSince: '2026-02-20T00:00:00.000Z',
    },
    [
      'Uptime in the last 30 days 100 % 94 scored of 1,440 probes, 578 blocked; none scored since 2026-02-20 00:00 UTC',
    ],
    [],
  ],
  [{ probes30d: 0, lastProbedAt: null, templated: true }, [], ['not probed yet']],
  [{ probes30d: 0 }, [], ['not probed yet']],
  [
    { lowestPriceUsd30d: '0.005000', highestPriceUsd30d: '1.250000' },
    ['Price range, last 30 days $0.005 to $1.25 '],
    [],
  ],
  [{ amountUsd: null }, ['Price per call not advertised in US dollars', 'Payment options 0.005 USDC'], []],
  [{ errorFlags: 1, warningFlags: 2 }, ['Error flags 1 Warnings 2 '], []],
  [{ betterAlternatives: 0 }, ['Better alternatives none'], []],
  [{ betterAlternatives: 9 }, ['Better alternatives 9 '], []],
  [{ betterAlternatives: 10 }, ['Better alternatives 10 or more '], []],
  [
    payWith({ network: 'eip155:31337', assetSymbol: null, decimals: null, amountUsd: null }),
    ['5000 atomic units of 0x8335…2913 eip155:31337 , scheme exact'],
    [],
  ],
  [payWith({ amount: null, amountUsd: null }), ['amount is not a whole number'], []],
  [
    { isCompliant: null, recommendation: 'unverified' },
    [
      'Price per call $0.005 USDC as the directory lists it, not confirmed by a probe Uptime',
      '0x1111111111111111111111111111111111112222 as the directory lists it, not confirmed by a probe',
      'Payment options As the directory lists them, not confirmed by a probe.',
      'No probe has received a payment challenge',
    ],
    ['not observed'],
  ],
  [{ isCompliant: null, payOn: [], amountUsd: null }, [], ['as the directory lists']],
  [{ isCompliant: null, listingSource: 'adopted' }, [], ['as the directory lists']],
  [
    { recommendation: 'free', grade: '?', isCompliant: null, payOn: [], amountUsd: null },
    [
      'Price per call Free no payment requested Uptime',
      'payTo address no payment requested',
      'Payment options None, because the endpoint requests no payment.',
    ],
    ['not advertised'],
  ],
  [
    { recommendation: 'free', grade: '?', isCompliant: null },
    ['Price per call Free no payment requested; the directory lists $0.005'],
    [],
  ],
  [{ recommendation: 'avoid' }, ['Is this yours? Check it live, free'], []],
  [{ recommendation: 'proceed' }, [], ['Is this yours?']],
  [{ warningFlags: 0 }, [], ['A warning is a risk']],
  [{ warningFlags: 1 }, ['A warning is a risk to check first. What flags mean'], []],
  [
    { templated: true, resource: 'https://api.example.com/{city}', recommendation: 'parameterize' },
    ['Replace each placeholder, then check', 'Price per item $0.005 USDC can vary by item'],
    ['Open the endpoint'],
  ],
  [
    { listingStatus: 'delisted', delistedAt: '2026-02-03T00:00:00Z' },
    ['Delisted on 2026-02-03 This endpoint left every directory that listed it.'],
    [],
  ],
  [{ failingSince: FAILURE.since }, ['Every probe has failed since 2026-02-20 08:30 UTC .'], []],
  [
    { ...failWith({ detail: 'HTTP 403 Forbidden.' }), blockedSince: '2026-02-20T08:30:00.000Z' },
    ['Our probes have been blocked since 2026-02-20 08:30 UTC : HTTP 403 Forbidden.'],
    ['Every probe has failed'],
  ],
  // The endpoint has recovered from its last failure.
  [{ lastFailure: FAILURE }, ['Last failure 2026-03-04 12:00 UTC : HTTP 410 Gone.'], ['has failed']],
  [
    failWith({ causes30d: { 'http-403': 2, 'http-410': 1_061 } }),
    ['Failed probes, last 30 days 1,061 × HTTP 410 Gone, 2 × HTTP 403 Forbidden (not counted in the uptime)'],
    [],
  ],
  [
    failWith({ causes30d: MANY_CAUSES }),
    ['9 × HTTP 590, 8 × HTTP 591, 7 × HTTP 592, 6 × HTTP 593, 5 × HTTP 594, …'],
    [],
  ],
];

describe('EndpointReport', () => {
  it('links to the pages above it and to the methodology', () => {
    const html = render();
    for (const link of ['href="/explore"', 'href="/provider/api.example.com"', 'href="/methodology"'])
      expect(html).toContain(link);
    expect(extractText(html)).toContain('Touchstone / Explore / api.example.com / /weather');
  });

  it('shows the verdict and the headline figures with unit and time window, and no failure', () => {
    const text = renderText();
    for (const part of [
      'https://api.example.com/weather',
      'Proceed No error applies, and none of its 2 warnings bars a payment.',
      '87.4 of 100 · Grade A',
      'Score range 85.1 to 88.9',
      'Confidence 0.87 of 1, high',
      'Snapshot computed 2026-03-04 12:34 UTC',
      'Uptime in the last 30 days 99.9 % of 1,440 scored probes',
      'Latency from Test lab 290 ms p50 612 ms p95 fast, average 318 ms',
      'payTo address 0x1111111111111111111111111111111111112222',
      'Probes, last 30 days 1,440',
      'Probe schedule 47.6 of 48 per day',
      'Price per call $0.005 USDC not observed in the last 30 days',
      'Price stability, last 30 days stable',
      'Price range, last 30 days $0.005 Network',
      'Network Base, eip155:8453',
      'First seen 2026-01-02, 61 days tracked',
      'Last probe in the snapshot 2026-03-04',
      'Directory Listed in cdp, payai',
      'Better alternatives 3',
      '0.005 USDC ($0.005) Base eip155:8453 , scheme exact to 0x1111…2222',
      'Unverified claim by the provider: Weather . The weather anywhere.',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/failure|Down/);
  });

  it('shows a text instead of zero for missing measurements', () => {
    const text = renderText({
      ...{ uptime30d: null, latencyMsP50: null, latencyMsP95: null, amountUsd: null, priceStability: null },
      ...{ lowestPriceUsd30d: null, highestPriceUsd30d: null, network: null, probes30d: 0 },
      ...{ lastProbedAt: null, betterAlternatives: null, payOn: [] },
    });
    expect(text.match(/not probed/g)).toHaveLength(4);
    expect(text).toContain('Probe schedule not probed yet');
    expect(text).toContain('Price range, last 30 days not measured');
    expect(text).not.toContain('every 30 minutes');
    expect(text.match(/not advertised/g)).toHaveLength(3);
    expect(text).toContain('Better alternatives not computed yet');
    expect(text).toContain('No payment option is advertised.');
  });

  it.each(CASES)('describes %j', (overrides, shown, hidden) => {
    const text = renderText(overrides);
    for (const part of shown) expect(text).toContain(part);
    for (const part of hidden) expect(text).not.toContain(part);
  });

  it('shows start and cause of an outage in the verdict', () => {
    const html = render(failWith({}));
    const verdict = html.slice(html.indexOf('aria-labelledby="verdict"'));
    expect(extractText(verdict.slice(0, verdict.indexOf('</section>')))).toContain(
      'Every probe has failed since 2026-02-20 08:30 UTC : HTTP 410 Gone.',
    );
    expect(extractText(html)).not.toContain('Last failure');
  });

  it('shows the recommendation before the grade, and neither a score nor a scale without a grade', () => {
    const text = renderText({ recommendation: 'avoid' });
    expect(text.indexOf('Avoid')).toBeLessThan(text.indexOf('of 100 · '));
    const ungraded = render({ grade: '?', recommendation: 'free', score: 87.4 });
    expect(ungraded).not.toContain('87.4');
    expect(ungraded).not.toContain('Score range');
    expect(extractText(ungraded)).toContain('Ungraded');
  });

  it('calls a grade with a low confidence provisional', () => {
    expect(renderText({ confidence: 0.29 })).toContain('Grade A, provisional');
    expect(renderText({ confidence: 0.3 })).not.toContain('provisional');
  });

  it('shows the beginning of a long description, and the rest in a section that can be opened', () => {
    const text = renderText({ description: `${'word '.repeat(60)}end` });
    expect(text).toMatch(/word… Proceed .* Whole description by the provider word/);
    expect(text).toContain('word end');
    expect(renderText()).not.toContain('Whole description');
  });

  it('does not call an adopted endpoint listed', () => {
    const text = renderText({ listingSource: 'adopted', directories: [] });
    expect(text).toContain('Not listed No directory lists this endpoint. It was added by a paid report.');
    expect(text).toContain('Directory Not listed');
    // Its host can have no provider page.
    expect(render({ listingSource: 'adopted' })).not.toContain('/provider/');
    expect(text.replaceAll('Not listed', '')).not.toMatch(/\blisted\b/i);
  });

  it('links to the endpoint with nofollow, if it has a public web URL', () => {
    expect(render()).toContain('<a href="https://api.example.com/weather" rel="nofollow ugc noopener">');
    expect(render({ resource: 'https://api.sandbox.test/v1' })).not.toContain('Open the endpoint');
    expect(render({ resource: 'javascript:alert(1)' })).not.toContain('href="javascript');
  });

  it('renders untrusted data as text', () => {
    const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>\u202E';
    const html = render({
      serviceName: hostile,
      description: hostile,
      resource: `https://x.example/${hostile}`,
      ...payWith({ network: hostile, scheme: hostile, asset: hostile, payTo: hostile }),
      ...failWith({ httpStatus: 302, error: 'redirect', detail: hostile, causes30d: { [hostile]: 1 } }),
    });
    // The page has one script and one image: the copy script and the badge.
    expect(html.match(/<(?:script|img)[^>]*>/g)).toEqual([
      expect.stringContaining('src="/badge/'),
      '<script src="/copy.js" defer="">',
    ]);
    expect(html).toContain('&lt;script&gt;');
  });
});

const SLUG = 'api-example-com-weather-abcdefgh27';

describe('createEndpointMetadata', () => {
  it('describes the endpoint, with its picture and its JSON format', () => {
    const metadata = createEndpointMetadata(createTestSnapshot());
    expect(metadata).toMatchObject({
      title: { absolute: 'Proceed: api.example.com/weather · x402 trust score · Touchstone' },
      alternates: { canonical: `/endpoint/${SLUG}`, types: { 'application/json': `/endpoint/${SLUG}.json` } },
      twitter: { images: [`/picture/${SLUG}.png`] },
    });
    expect(metadata.description).toMatch(
      /^Proceed: api\.example\.com\/weather\. Grade A, trust score 87\.4 of 100\. /,
    );
    expect(metadata.robots).toBeUndefined();
    const avoided = createEndpointMetadata(createTestSnapshot({ recommendation: 'avoid' }));
    expect(avoided.description).toMatch(/^Avoid: api/);
    const ungraded = createEndpointMetadata(createTestSnapshot({ grade: '?', recommendation: 'free' }));
    expect(ungraded.description).toMatch(/^Free: api\.example\.com\/weather\. Uptime/);
  });

  it.each([
    { grade: '?' },
    { templated: true },
    { listingStatus: 'delisted' },
    { listingSource: 'adopted' },
  ] as const)('keeps an endpoint with %j out of search engines', (override) => {
    const { robots } = createEndpointMetadata(createTestSnapshot(override));
    expect(robots).toEqual({ index: false, follow: true });
  });

  it('has different titles and descriptions for similar URLs', () => {
    const long = `https://api.example.com/${'path/'.repeat(60)}`;
    const snapshots = [
      createTestSnapshot(),
      createTestSnapshot({ resource: 'http://api.example.com/weather' }),
      createTestSnapshot({ resource: `${long}a`, endpointId: 'aaaaaaaaaa' }),
      createTestSnapshot({ resource: `${long}b`, endpointId: 'bbbbbbbbbb' }),
    ];
    const metadata = snapshots.map((snapshot) => createEndpointMetadata(snapshot));
    expect(new Set(metadata.map(({ title }) => JSON.stringify(title))).size).toBe(4);
    expect(new Set(metadata.map(({ description }) => description)).size).toBe(4);
    expect(metadata[2]?.title).toEqual({
      absolute:
        'Proceed: api.example.com/path/path/pa…th/path/path/a (aaaaaaaaaa) · x402 trust score · Touchstone',
    });
    expect(metadata[2]?.description).toMatch(/measured by Touchstone\.$/);
  });
});
