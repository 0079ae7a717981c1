import { DAY_MS } from '@touchstone/common';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPaint } from '../../terminal/paint.ts';
import { createReport } from '../../testing/reports.ts';
import { formatTrustReport } from './trust-text.ts';

const BASE_URL = 'https://touchstone.example';
const NOW = Date.UTC(2026, 5, 1);
const bare = { paint: (_: unknown, text: string) => text, width: 80 };

describe('formatTrustReport', () => {
  it('prints the recommendation, its reasons, the components and the facts', () => {
    expect(formatTrustReport(createReport(BASE_URL), bare)).toMatchInlineSnapshot(`
      "https://api.example.com/v1/weather
      Provider (unverified): Weather: Weather by city

      Grade A   89.0 of 100   PROCEED
      Score range 87.2 to 90.2, confidence 1.00. Score in 30 days if nothing changes:
      94.1 (A).

        • The score of 89.0 is 65 or more, and no flag prevents the recommendation to
        proceed.

        uptime     ██████████████████░░  89.1 of 100 · weight 30 · adds 26.72 points
          1430 of 1440 scored probes succeeded (99.3 %).
        compliance ████████████████████ 100.0 of 100 · weight 25 · adds 25 points
          Of 1430 challenges, 1430 passed every check, 0 had only warnings, 0 had
          errors but could be paid, and 0 could not be paid.
        stability  ██████████████████░░  90.0 of 100 · weight 15 · adds 13.5 points
          1 price change in the last 30 days.
        activity   ██████████████░░░░░░  70.1 of 100 · weight 15 · adds 10.52 points
          1234.56 US dollars from 37 payers settled in the last 30 days. The largest
          payer paid 25 % of the volume.
        age        ██████████████████░░  90.0 of 100 · weight 10 · adds 9 points
          First seen 90 days ago.
        latency    █████████████████░░░  84.5 of 100 · weight 5 · adds 4.23 points
          The first byte arrives within 310 ms in 50 % and within 840 ms in 95 % of
          responses.

        Price      $0.01 on eip155:8453 to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C
        Settled    $1,234.56 from 37 payers in the last 30 days; largest payer 25.0 %
        Probes     1,440 probes in the last 30 days; 1,430 of 1,440 scored probes
                   succeeded (99.3 %)
        Latency    median 310 ms, 95th percentile 840 ms
        Listing    listed, first seen 2026-03-03
        Generated  2026-06-01 00:00 UTC, probed live in 212 ms, scoring version 1.0.0
        Page       https://touchstone.example/endpoint/api-example-com-weather-abcdefghij
      "
    `);
  });

  it('prints limits of the score, and flags with errors first', () => {
    const report = createReport(BASE_URL, {
      changes: [{ kind: 'payto_change', at: NOW - 2 * DAY_MS }],
      settlement: null,
      networksRead: 0,
      description: null,
    });
    expect(formatTrustReport(report, bare)).toMatchInlineSnapshot(`
      "https://api.example.com/v1/weather
      Provider (unverified): Weather

      Grade C   64.0 of 100   AVOID
      Score range 64.0 to 64.0, confidence 0.80. Score in 30 days if nothing changes:
      98.3 (A).

        • The payTo address changed in the last 7 days; the endpoint may have been
        taken over.

        uptime     ██████████████████░░  89.1 of 100 · weight 30 · adds 31.44 points
          1430 of 1440 scored probes succeeded (99.3 %).
        compliance ████████████████████ 100.0 of 100 · weight 25 · adds 29.41 points
          Of 1430 challenges, 1430 passed every check, 0 had only warnings, 0 had
          errors but could be paid, and 0 could not be paid.
        stability  ███████████░░░░░░░░░  53.3 of 100 · weight 15 · adds 9.41 points
          1 payTo change in the last 30 days.
        activity   ░░░░░░░░░░░░░░░░░░░░    –  not measured
          The chains of its wallets were not read.
        age        ██████████████████░░  90.0 of 100 · weight 10 · adds 10.59 points
          First seen 90 days ago.
        latency    █████████████████░░░  84.5 of 100 · weight 5 · adds 4.97 points
          The first byte arrives within 310 ms in 50 % and within 840 ms in 95 % of
          responses.
        Score limited to 64.0 (payto-changed-recently): The payTo address changed in
        the last 7 days.

      ✖ payto-changed-recently (since 2026-05-30)
          The payTo address changed in the last 7 days; the endpoint may have been
          taken over.
          changes 1, payTo 0x209693Bc6afc0C5328bA36FaF03C514EF312287C
      ! no-description
          The resource has no description.

        Price      $0.01 on eip155:8453 to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C
        Settled    not measured: the chain was not read
        Probes     1,440 probes in the last 30 days; 1,430 of 1,440 scored probes
                   succeeded (99.3 %)
        Latency    median 310 ms, 95th percentile 840 ms
        Listing    listed, first seen 2026-03-03
        Generated  2026-06-01 00:00 UTC, probed live in 212 ms, scoring version 1.0.0
        Page       https://touchstone.example/endpoint/api-example-com-weather-abcdefghij
      "
    `);
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
});
