import { stripVTControlCharacters } from 'node:util';
import { DAY_MS } from '@touchstone/common';
import { findFigures } from '@touchstone/common/testing';
import { TRUST_REPORT_EXAMPLE } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { createPaint } from '../terminal/text.ts';
import { createReport } from '../testing/reports.ts';
import { formatTrustReport } from './trust-text.ts';

const BASE_URL = 'https://touchstone.example';
const NOW = Date.UTC(2026, 5, 1);
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const OTHER = '0x0B2C639c533813f4Aa9D7837CAf62653d097Ff85';
const toIso = (ms: number): string => new Date(ms).toISOString();
const bare = { paint: (_: unknown, text: string) => text, width: 80 };

describe('formatTrustReport', () => {
  it('prints the recommendation, its reasons, the components and the facts', () => {
    expect(formatTrustReport(createReport(BASE_URL), bare)).toMatchInlineSnapshot(`
      "https://api.example.com/v1/weather
      Provider (unverified): Weather: Weather by city

      Grade A   89.0 of 100   PROCEED
      Live probe: The endpoint sent the stored payment terms.
      Score range 87.2 to 90.2, confidence 1.00 of 1. Score in 30 days if the last 24
      hours repeat: 94.1 (A).

        • Score 89.0 of 100, with no error and no warning. 1,430 of 1,440 scored
        probes succeeded (99.3 %).

        uptime     ██████████████████░░  89.1 of 100 · weight 30 · adds 26.72 points
          1,430 of 1,440 scored probes succeeded (99.3 %).
        compliance ████████████████████ 100.0 of 100 · weight 25 · adds 25 points
          1,430 of 1,430 challenges had no error or warning that concerns payment.
        stability  ██████████████████░░  90.0 of 100 · weight 15 · adds 13.5 points
          1 price change in the last 30 days.
        activity   ██████████████░░░░░░  70.1 of 100 · weight 15 · adds 10.52 points
          37 payers settled $1,234.56 to the advertised wallets in the last 30 days;
          the largest payer paid 25.0 %.
        age        ██████████████████░░  90.0 of 100 · weight 10 · adds 9 points
          First seen 90 days ago.
        latency    █████████████████░░░  84.5 of 100 · weight 5 · adds 4.23 points
          50 % of the responses were complete within 310 ms, 95 % within 840 ms.

        Price      $0.01 on eip155:8453 to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C
        Settled    $1,234.56 from 37 payers in the last 30 days; largest payer 25.0 %
        Probes     last 30 days: 1,440 scored of 1,440 probes; 1,430 succeeded (99.3
                   %)
        Latency    whole response: median 310 ms, 95th percentile 840 ms, error at
                   most 16 %, measured from eu
        Listing    listed, first seen 2026-03-03
        Generated  2026-06-01 00:00 UTC, probed live in 212 ms, scoring version 1.0.0
        Page       https://touchstone.example/endpoint/api-example-com-weather-abcdefghij
      "
    `);
  });

  it('prints limits of the score, and flags with errors first', () => {
    const report = createReport(BASE_URL, {
      changes: [{ kind: 'payto_change', at: NOW - 2 * DAY_MS, before: OTHER, after: PAY_TO }],
      settlement: null,
      networksRead: 0,
      description: null,
    });
    const text = formatTrustReport(report, bare).replace(/\s+/g, ' ');
    for (const part of [
      'Grade C 64.0 of 100 AVOID Live probe: The endpoint sent the stored payment terms. Score range 64.0 to 64.0, confidence 0.80 of 1.',
      `• The payTo address changed from ${OTHER} to ${PAY_TO} on 2026-05-30 00:00 UTC; the endpoint may have been taken over.`,
      'activity ░░░░░░░░░░░░░░░░░░░░ – not measured Payments are not measured: none of its wallets takes USDC on a chain that was read completely.',
      'Score at most 64.0 (payto-changed-recently): The payTo address changed in the last 7 days. ✖ payto-',
      `changes 1, changedAt 2026-05-30T00:00:00.000Z, before ${OTHER}, after ${PAY_TO}, network eip155:8453, asset`,
      '! no-description The resource has no description. Price',
      'Settled not measured: the chain was not read',
    ])
      expect(text).toContain(part);
  });

  it.each([
    [
      { volumeUsd30d: 0.54, returnedUsd30d: 20.16, payers30d: 2, topPayerShare: 0.6 },
      'Settled $0.54 kept from 2 payers in the last 30 days; $20.16 sent back to payers; largest payer 60.0 %',
    ],
    [
      { volumeUsd30d: 0, returnedUsd30d: 20.16, payers30d: 0, topPayerShare: null },
      'Settled nothing kept in the last 30 days; $20.16 sent back to payers',
    ],
  ])('prints what was kept and what was sent back (%#)', (settlement, expected) => {
    const report = createReport(BASE_URL, { settlement });
    const counted = {
      ...report,
      settlement: report.settlement && { ...report.settlement, settlements30d: 3 },
    };
    const text = formatTrustReport(counted, bare).replace(/\s+/g, ' ');
    expect(text).toContain(expected);
    expect(text).toContain('! payments-returned');
  });

  it('prints the newest test purchase, the state of the delivery and the reports of buyers', () => {
    const { delivery } = TRUST_REPORT_EXAMPLE;
    const print = (change: object) =>
      formatTrustReport({ ...createReport(BASE_URL), delivery: delivery && { ...delivery, ...change } }, bare)
        .replace(/\s+/g, ' ')
        .match(/Delivery (.*) Probes/)?.[1];
    const buyers = 'payers report 4 delivered, 0 not delivered';
    expect(print({})).toBe(
      `delivered; test purchase 2026-05-30 10:00 UTC, $0.01: delivered (HTTP 200, 412 bytes, 820 ms); ${buyers}`,
    );
    const [purchase] = delivery?.purchases ?? [];
    const silent = { ...purchase, outcome: 'paid-not-delivered', httpStatus: null };
    expect(print({ state: null, purchases: [silent] })).toBe(
      `test purchase 2026-05-30 10:00 UTC, $0.01: paid-not-delivered (no response); ${buyers}`,
    );
    expect(print({ state: null, purchases: [] })).toBe(buyers);
  });

  it('names the outage, the causes of failures and the failed checks', () => {
    const lastFailure = {
      at: NOW,
      since: NOW - 3 * DAY_MS,
      phase: 'response' as const,
      httpStatus: 410,
      error: 'http-410',
      detail: 'HTTP 410 Gone.',
    };
    const check = { axis: 'payable' as const, fix: 'Fix it.', reference: 'x402 version 2' };
    const report = createReport(
      BASE_URL,
      { downSince: NOW - 3 * DAY_MS, lastFailure },
      {
        lastFailure: {
          ...{ ...lastFailure, at: toIso(NOW), since: toIso(NOW - 3 * DAY_MS) },
          causes30d: { 'http-410': 141, timeout: 2 },
        },
        compliance: {
          version: 2,
          payable: false,
          observedAt: toIso(NOW - 3 * DAY_MS),
          failed: [
            { ...check, id: 'v2-description', severity: 'info', message: 'A remark.' },
            { ...check, id: 'v2-name', severity: 'warning', message: 'The name is missing.' },
            { ...check, id: 'v2-domain', severity: 'error', message: 'The domain is \u001b[31mwrong.' },
            { ...check, axis: 'discoverable', id: 'bazaar', severity: 'warning', message: 'No bazaar.' },
            { ...check, axis: 'discoverable', id: 'bazaar-2', severity: 'error', message: 'No input.' },
          ],
          passed: ['v2-version', 'v2-accepts'],
          skippedCount: 12,
        },
      },
    );
    const text = formatTrustReport(report, bare);
    expect(text).toContain('AVOID\nEvery probe has failed since 2026-05-29 00:00 UTC: HTTP 410 Gone.\n');
    expect(text).toContain(
      [
        '✖ check v2-domain',
        '    The domain is [31mwrong.',
        '✖ check bazaar-2',
        '    No input.',
        '! check v2-name',
        '    The name is missing.',
        '! check bazaar',
        '    No bazaar.',
        '',
      ].join('\n'),
    );
    expect(text).toContain(
      [
        '  Failures   http-410 141, timeout 2 in the last 30 days; latest 2026-06-01',
        '             00:00 UTC: HTTP 410 Gone.',
      ].join('\n'),
    );
    expect(text).toContain(
      [
        '  Protocol   x402 version 2, the challenge of 2026-05-29 00:00 UTC was not',
        '             payable, 1 error and 1 warning about payment, 2 about discovery, in',
        '             7 checks',
      ].join('\n'),
    );
  });

  it('names a live probe that confirms nothing below the verdict', () => {
    const report = createReport(BASE_URL);
    const freshness = { ...report.freshness, confirms: false, detail: 'The payTo address is another one.' };
    expect(formatTrustReport({ ...report, freshness }, bare)).toContain(
      'PROCEED\nLive probe: The payTo address is another one.\n',
    );
  });

  it('calls an endpoint that only rejects the probe not down', () => {
    const lastFailure = {
      at: NOW,
      since: NOW - DAY_MS,
      phase: 'response' as const,
      httpStatus: 403,
      error: 'http-403',
      detail: 'HTTP 403 Forbidden.',
    };
    const failing = formatTrustReport(createReport(BASE_URL, { lastFailure }), bare);
    expect(failing).toContain('Every probe has failed since 2026-05-31 00:00 UTC: HTTP 403 Forbidden.');
    // A live probe that fails the same way is later than the latest recorded failure.
    const earlier = { ...lastFailure, at: NOW - DAY_MS / 2 };
    const repeated = formatTrustReport(
      createReport(BASE_URL, { lastFailure: earlier, lastUpAt: null }),
      bare,
    );
    expect(repeated).toContain('Every probe has failed since 2026-05-31 00:00 UTC: HTTP 403 Forbidden.');
    const recovered = formatTrustReport(createReport(BASE_URL, { lastFailure: earlier }), bare);
    expect(recovered).not.toContain('since 2026-05-31');
    expect(recovered).toContain('Failures   latest 2026-05-31 12:00 UTC: HTTP 403 Forbidden.');
  });

  it('prints the related endpoint, an adopted endpoint and both latencies', () => {
    const { listing, stats } = createReport(BASE_URL);
    const report = createReport(
      BASE_URL,
      {},
      {
        resource: 'https://api.example.com/v1/weather?city=Oslo',
        serviceName: null,
        listing: { ...listing, source: 'adopted' },
        confidence: 0.05,
        stats: { ...stats, firstByte: { p50: 210, p95: 700 } },
        related: {
          resource: 'https://api.example.com/v1/weather',
          score: 88.4,
          grade: 'A',
          recommendation: 'proceed',
          confidence: 0.93,
          endpointPage: 'https://touchstone.example/endpoint/weather-bcdefghijk',
        },
      },
    );
    const text = formatTrustReport(report, bare).replace(/\n\s+/g, ' ');
    expect(text).toContain('confidence 0.05 of 1 (0.93 of 1 for\nhttps://api.example.com/v1/weather).');
    expect(text).toContain('no directory lists it; added by a paid report, first seen 2026-03-03');
    expect(text).toContain(
      'https://api.example.com/v1/weather differs only by query or template; grade A, 88.4 of 100, proceed, ' +
        'confidence 0.93 of 1; https://touchstone.example/endpoint/weather-bcdefghijk',
    );
    expect(text).toContain(
      'whole response: median 310 ms, 95th percentile 840 ms, error at most 16 %, measured from eu; first byte: median 210 ms',
    );
  });

  it.each([
    [37, ' (the payTo address varies: 37 seen in the last 30 days)'],
    [null, ' (the payTo address varies)'],
  ])('says that the payTo address varies, with %s known addresses', (payToDistinct30d, expected) => {
    const { stats } = createReport(BASE_URL);
    const report = createReport(BASE_URL, {}, { stats: { ...stats, payToVaries: true, payToDistinct30d } });
    expect(formatTrustReport(report, { ...bare, width: 200 })).toContain(PAY_TO + expected);
  });

  it('prints no score without a grade', () => {
    const text = formatTrustReport(
      createReport(BASE_URL, {}, { grade: '?', recommendation: 'unverified' }),
      bare,
    );
    expect(text).toContain('\nUngraded   UNVERIFIED\n');
    expect(text).toContain('\nNo score, confidence 1.00 of 1.');
  });

  it('stays within the width, except for addresses and URLs', () => {
    for (const width of [40, 60, 100]) {
      const lines = formatTrustReport(createReport(BASE_URL), { ...bare, width }).split('\n');
      expect(lines.filter((line) => line.length > width && !/https:|0x|[█░]/.test(line))).toEqual([]);
    }
  });

  it('prints the same text in color', () => {
    const paint = createPaint(process.stdout, true);
    const colored = formatTrustReport(createReport(BASE_URL), { paint, width: 80 });
    expect(colored).toContain('\u001b[');
    expect(stripVTControlCharacters(colored)).toBe(formatTrustReport(createReport(BASE_URL), bare));
  });

  it('removes control characters from texts of the provider', () => {
    const report = {
      ...createReport(BASE_URL),
      serviceName: '\u001b[31mOfficial\u202e',
      description: 'Good\r\n\u009b2JGrade A',
      resource: 'https://api.example.com/\u0007\u2028x',
    };
    const text = formatTrustReport(report, bare);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text.match(/^Grade/gm)).toHaveLength(1);
  });

  it('prints the figures of the pages about the endpoint', () => {
    const { score, latency, ...figures } = findFigures(formatTrustReport(TRUST_REPORT_EXAMPLE, bare));
    expect(score?.[0]).toBe('91.9');
    expect(latency).toContain('268 ms');
    // 1,431 of 1,434 scored probes are 99.79 %.
    expect(figures).toEqual({
      confidence: ['1.00 of 1'],
      percent: ['99.7 %', '19.3 %', '50 %', '95 %', '16 %'],
      price: ['$812.44', '$0.01', '$0.02'],
    });
  });
});
