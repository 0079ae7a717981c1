import type { Snapshot } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { renderReport as render } from './testing/render-report.tsx';

describe('EndpointReport', () => {
  it('links to the pages above it', () => {
    const html = render();
    expect(html).toContain('href="/explore"');
    expect(html).toContain('href="/provider/api.example.com"');
    expect(extractText(html)).toContain('Touchstone / Explore / api.example.com / /weather');
    expect(extractText(render({ resource: 'https://api.example.com' }))).toContain('api.example.com / /');
  });

  it('links to the methodology', () => {
    expect(render()).toContain('<a href="/methodology">How the score works</a>');
  });

  it('shows the verdict and the headline figures with unit and time window', () => {
    const text = extractText(render());
    for (const part of [
      'https://api.example.com/weather',
      '87.4 of 100 · Grade A',
      'Proceed The score is 65 or more',
      'Confidence 0.87 of 1, high',
      'Snapshot computed 2026-03-04 12:34 UTC',
      'Uptime, last 30 days 99.9% of probes succeeded',
      'Average latency from Test lab 318 ms, fast',
      'Probes, last 30 days 1,440 47.6 of 48 scheduled probes per day',
      'Price per call $0.005 USDC as advertised',
      'Price stability, last 30 days stable',
      'Price range, last 30 days $0.005 Network',
      'Network Base eip155:8453',
      'First seen 2026-01-02 61 days tracked',
      'Last probed 2026-03-04',
      'Directory Listed in cdp, payai',
      'Error flags 0',
      'Warnings 2',
      'Better alternatives 3',
      '0.005 USDC ($0.005) to 0x1111…2222',
      'unverified claim by the provider',
      'The weather anywhere.',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('shows a text instead of zero for missing measurements', () => {
    const text = extractText(
      render({
        uptime30d: null,
        latencyMs: null,
        latencyLabel: null,
        amountUsd: null,
        priceStability: null,
        lowestPriceUsd30d: null,
        highestPriceUsd30d: null,
        network: null,
        probes30d: 0,
        lastProbedAt: null,
        betterAlternatives: null,
        payOn: [],
      }),
    );
    expect(text.match(/not probed/g)).toHaveLength(4);
    expect(text).toContain('Probes, last 30 days 0 not probed yet');
    expect(text).toContain('Price range, last 30 days not measured');
    expect(text).not.toContain('every 30 minutes');
    expect(text.match(/not advertised/g)).toHaveLength(2);
    expect(text).toContain('Better alternatives not computed yet');
    expect(text).not.toContain('Payment options');
  });

  it('distinguishes an endpoint without scored probes from an unprobed one', () => {
    const text = extractText(
      render({ uptime30d: null, latencyMs: null, latencyLabel: null, probes30d: 12, probedPerDay: null }),
    );
    expect(text).toContain('Uptime, last 30 days no probe could be scored');
    expect(text).toContain('Average latency from Test lab no response to measure');
    expect(text).toContain('Probes, last 30 days 12 about one every 30 minutes');
    expect(text).not.toContain('not probed');
  });

  it('does not show “not probed yet” for a template or an endpoint with older probes', () => {
    expect(extractText(render({ probes30d: 0, lastProbedAt: null, templated: true }))).not.toContain(
      'not probed yet',
    );
    expect(extractText(render({ probes30d: 0 }))).not.toContain('not probed yet');
  });

  it('shows the lowest and the highest price of the last 30 days', () => {
    const range = { lowestPriceUsd30d: '0.005000', highestPriceUsd30d: '1.250000' };
    expect(extractText(render(range))).toContain('Price range, last 30 days $0.005 to $1.25 Network');
  });

  it('distinguishes zero alternatives from alternatives that are not computed', () => {
    expect(extractText(render({ betterAlternatives: 0 }))).toContain('Better alternatives none');
  });

  it('distinguishes a price in another currency from a missing price', () => {
    const text = extractText(render({ amountUsd: null }));
    expect(text).toContain('Price per call not advertised in US dollars');
    expect(text).toContain('Payment options');
  });

  it('explains a template and does not link its URL', () => {
    const html = render({
      templated: true,
      resource: 'https://api.example.com/{city}',
      recommendation: 'parameterize',
    });
    expect(extractText(html)).toContain('The literal URL cannot be paid or probed; substitute a real value');
    expect(extractText(html)).toContain('Price per item');
    expect(html).not.toContain('Open the endpoint');
  });

  it('has a notice for delisted, free and unverified endpoints', () => {
    expect(extractText(render({ listingStatus: 'delisted', delistedAt: '2026-02-03T00:00:00Z' }))).toContain(
      'Delisted on 2026-02-03 This endpoint is no longer in a public directory.',
    );
    expect(extractText(render({ grade: '?', recommendation: 'free' }))).toContain(
      'has never presented a payment challenge',
    );
    expect(extractText(render({ grade: '?', recommendation: 'unverified' }))).toContain(
      'No probe could be scored yet',
    );
  });

  describe('on a failure', () => {
    const lastFailure = {
      at: '2026-03-04T12:00:00.000Z',
      since: '2026-02-20T08:30:00.000Z',
      phase: 'response' as const,
      httpStatus: 410,
      error: 'http-410',
      detail: 'HTTP 410 Gone.',
      causes30d: { timeout: 2, 'http-410': 1_061 },
    };
    const failingSince = lastFailure.since;

    it('shows start and cause of an outage in the verdict', () => {
      const html = render({ failingSince, lastFailure });
      const verdict = html.slice(html.indexOf('aria-labelledby="verdict"'));
      expect(extractText(verdict.slice(0, verdict.indexOf('</section>')))).toContain(
        'Down since 2026-02-20 08:30 UTC : HTTP 410 Gone.',
      );
      expect(extractText(html)).not.toContain('Last failure');
    });

    it.each([
      [{ phase: 'tls', httpStatus: null }, 'Down since'],
      [{ httpStatus: 503 }, 'Down since'],
      [{ httpStatus: 403 }, 'No successful probe since'],
      [{ httpStatus: 302 }, 'No successful probe since'],
    ] as const)('names the state after %j', (cause, state) => {
      const text = extractText(render({ failingSince, lastFailure: { ...lastFailure, ...cause } }));
      expect(text).toContain(`${state} 2026-02-20`);
    });

    it('shows the start without a known cause', () => {
      expect(extractText(render({ failingSince }))).toContain('Down since 2026-02-20 08:30 UTC .');
    });

    it('shows the last failure of a recovered endpoint as a fact', () => {
      const text = extractText(render({ lastFailure }));
      expect(text).toContain('Last failure 2026-03-04 12:00 UTC : HTTP 410 Gone.');
      expect(text).not.toContain('Down since');
    });

    it('shows how often each cause occurred, the most frequent first', () => {
      const causes30d = { 'http-403': 2, 'http-410': 1_061 };
      const text = extractText(render({ failingSince, lastFailure: { ...lastFailure, causes30d } }));
      expect(text).toContain(
        'Failed probes, last 30 days 1,061 × HTTP 410 Gone, 2 × HTTP 403 Forbidden (not counted in the uptime)',
      );
      const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`http-59${at}`, 9 - at]));
      const shortened = extractText(render({ lastFailure: { ...lastFailure, causes30d: many } }));
      expect(shortened).toContain('9 × HTTP 590, 8 × HTTP 591, 7 × HTTP 592, 6 × HTTP 593, 5 × HTTP 594, …');
    });

    it('shows no failure for an endpoint that never failed', () => {
      expect(extractText(render())).not.toMatch(/failure|Down/);
    });
  });

  it('does not call an adopted endpoint listed', () => {
    const text = extractText(render({ listingSource: 'adopted', directories: [] }));
    expect(text).toContain('Not listed No directory lists this endpoint. It was added by a paid report.');
    expect(text).toContain('Directory Not listed added by a paid report');
    expect(text).toContain('Adopted by a paid report');
    expect(text.replaceAll('Not listed', '')).not.toMatch(/\blisted\b/i);
  });

  it('names the whole response as the measured latency', () => {
    expect(extractText(render())).toContain('time to the end of the response in the last 30 days');
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
      payOn: [
        {
          ...createTestSnapshot().payOn[0],
          network: hostile,
          scheme: hostile,
          asset: hostile,
          payTo: hostile,
        } as Snapshot['payOn'][number],
      ],
      failingSince: '2026-03-04T12:00:00.000Z',
      lastFailure: {
        at: '2026-03-04T12:00:00.000Z',
        since: '2026-03-04T12:00:00.000Z',
        phase: 'response',
        httpStatus: 302,
        error: 'redirect',
        detail: hostile,
        causes30d: { [hostile]: 1 },
      },
    });
    // The page has one script and one image: the copy script and the badge.
    expect(html.match(/<(?:script|img)[^>]*>/g)).toEqual([
      expect.stringContaining('src="/badge/'),
      '<script src="/copy.js" defer="">',
    ]);
    expect(html).toContain('&lt;script&gt;');
  });

  it('has no style attribute, because the content security policy forbids it', () => {
    expect(render()).not.toContain('style=');
  });
});
