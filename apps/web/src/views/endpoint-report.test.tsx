import type { Snapshot } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { testSnapshot } from '../test-snapshot.ts';
import { EndpointReport } from './endpoint-report.tsx';

const render = (different: Partial<Snapshot> = {}) =>
  renderToStaticMarkup(<EndpointReport snapshot={testSnapshot(different)} vantage="Test lab" />);

/** The text of a page as a reader sees it, one space between pieces. */
const textOf = (html: string) =>
  html
    .replace(/<wbr\/>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('EndpointReport', () => {
  it('leads to the formula behind the score', () => {
    expect(render()).toContain('<a href="/methodology">How the score works</a>');
  });

  it('shows the verdict and the headline numbers with unit, window and vantage', () => {
    const text = textOf(render());
    for (const part of [
      'https://api.example.com/weather',
      '87.4 of 100 · Grade A',
      'Proceed It scores 65 or more',
      'Confidence 0.87 of 1, high',
      'Snapshot computed 2026-03-04 12:34 UTC',
      'Uptime, last 30 days 99.9%',
      'Average latency, vantage Test lab 318 ms, fast',
      'Probes, last 30 days 1,440 probed 47.6 times a day of 48',
      'Advertised price, per call $0.005 USDC',
      'Price stability, last 30 days stable',
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

  it('says what was never measured instead of showing zeros', () => {
    const text = textOf(
      render({
        uptime30d: null,
        latencyMs: null,
        latencyLabel: null,
        amountUsd: null,
        priceStability: null,
        network: null,
        probes30d: 0,
        lastProbedAt: null,
        betterAlternatives: null,
        payOn: [],
      }),
    );
    expect(text.match(/not probed/g)).toHaveLength(4);
    expect(text).toContain('Probes, last 30 days 0 this service has not probed it');
    expect(text).not.toContain('every 30 minutes');
    expect(text.match(/not advertised/g)).toHaveLength(2);
    expect(text).toContain('Better alternatives not computed yet');
    expect(text).not.toContain('Pay on');
  });

  it('tells an endpoint whose probes count for nothing from one that was not probed', () => {
    const text = textOf(
      render({ uptime30d: null, latencyMs: null, latencyLabel: null, probes30d: 12, probedPerDay: null }),
    );
    expect(text).toContain('Uptime, last 30 days no probe could be scored');
    expect(text).toContain('Average latency, vantage Test lab no answer to measure');
    expect(text).toContain('Probes, last 30 days 12 about one every 30 minutes');
    expect(text).not.toContain('not probed');
  });

  it('says of no template, and of nothing probed before, that it was left unprobed', () => {
    expect(textOf(render({ probes30d: 0, lastProbedAt: null, templated: true }))).not.toContain(
      'has not probed',
    );
    expect(textOf(render({ probes30d: 0 }))).not.toContain('has not probed');
  });

  it('tells no alternatives from alternatives not computed', () => {
    expect(textOf(render({ betterAlternatives: 0 }))).toContain('Better alternatives none');
  });

  it('explains a template, and does not link what cannot be opened', () => {
    const html = render({
      templated: true,
      resource: 'https://api.example.com/{city}',
      recommendation: 'parameterize',
    });
    expect(textOf(html)).toContain('The literal URL cannot be paid or probed; substitute a real value');
    expect(textOf(html)).toContain('Advertised price, per item');
    expect(html).not.toContain('Open the endpoint');
  });

  it('explains delisted, free and unverified endpoints', () => {
    expect(textOf(render({ listingStatus: 'delisted', delistedAt: '2026-02-03T00:00:00Z' }))).toContain(
      'Delisted on 2026-02-03 It is no longer in a public directory.',
    );
    expect(textOf(render({ grade: '?', recommendation: 'free' }))).toContain(
      'has never presented a payment challenge',
    );
    expect(textOf(render({ grade: '?', recommendation: 'unverified' }))).toContain('nothing to grade yet');
  });

  it('links to the endpoint without vouching for it', () => {
    expect(render()).toContain('<a href="https://api.example.com/weather" rel="nofollow ugc noopener">');
    expect(render({ resource: 'https://api.sandbox.test/v1' })).not.toContain('Open the endpoint');
    expect(render({ resource: 'javascript:alert(1)' })).not.toContain('href="javascript');
  });

  it('shows what strangers wrote as text', () => {
    const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>\u202E';
    const html = render({
      serviceName: hostile,
      description: hostile,
      resource: `https://x.example/${hostile}`,
      payOn: [
        {
          ...testSnapshot().payOn[0],
          network: hostile,
          scheme: hostile,
          asset: hostile,
          payTo: hostile,
        } as Snapshot['payOn'][number],
      ],
    });
    expect(html).not.toMatch(/<script|<img/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('needs no style attribute, which the security policy would not allow', () => {
    expect(render()).not.toContain('style=');
  });
});
