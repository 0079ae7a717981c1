import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPaint } from '../paint.ts';
import { reportBy } from '../testing/reports.ts';
import { trustText } from './trust-text.ts';

const BASE_URL = 'https://touchstone.example';
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const bare = { paint: (_: unknown, text: string) => text, width: 80 };

describe('a trust report, printed', () => {
  it('says what it advises, why, and what it was made from', () => {
    expect(trustText(reportBy(BASE_URL), bare)).toMatchInlineSnapshot(`
      "https://api.example.com/v1/weather
      The provider says: Weather: Weather by city

      Grade A   89.0 of 100   PROCEED
      The observations allow 87.2 to 90.2; confidence 1.00. If today holds, 94.1 (A)
      in 30 days.

        • The score of 89.0 is 65 or more, and no warning bars it.

        uptime     ██████████████████░░  89.1  26.72 points, weight 30
          Up in 1430 of 1440 scored probes (99.3 %).
        compliance ████████████████████ 100.0  25 points, weight 25
          Of 1430 challenges 1430 passed every check, 0 had warnings, 0 errors, and 0
          could not be paid.
        stability  ██████████████████░░  90.0  13.5 points, weight 15
          The advertised terms changed once in 30 days.
        activity   ██████████████░░░░░░  70.1  10.52 points, weight 15
          1234.56 US dollars from 37 payers settled in 30 days, the largest of them
          with 25 %.
        age        ██████████████████░░  90.0  9 points, weight 10
          First seen 90 days ago.
        latency    █████████████████░░░  84.5  4.23 points, weight 5
          First byte after 310 ms in half and 840 ms in 95 of 100 answers.

        Asks       $0.01 on eip155:8453 to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C
        Settled    $1,234.56 by 37 payers, the largest of whom paid 25.0 %, in 30 days
        Probes     1,440 in 30 days: up in 1,430 of 1,440 that count (99.3 %)
        Latency    half of the answers within 310 ms, 95 % within 840 ms
        Listing    listed, first seen 2026-03-03
        Made       2026-06-01 00:00 UTC, probed for this report in 212 ms, formula
                   1.0.0
        Page       https://touchstone.example/endpoint/api-example-com-weather-abcdefghij
      "
    `);
  });

  it('names what limits the score and what to look out for, the worst first', () => {
    const report = reportBy(BASE_URL, {
      changes: [{ kind: 'payto_change', at: NOW - 2 * DAY_MS }],
      settlement: null,
      networksRead: 0,
      description: null,
    });
    expect(trustText(report, bare)).toMatchInlineSnapshot(`
      "https://api.example.com/v1/weather
      The provider says: Weather

      Grade C   64.0 of 100   AVOID
      The observations allow 64.0 to 64.0; confidence 0.80. If today holds, 98.3 (A)
      in 30 days.

        • Payments go to another address than a week ago; it may have been taken over.

        uptime     ██████████████████░░  89.1  31.44 points, weight 30
          Up in 1430 of 1440 scored probes (99.3 %).
        compliance ████████████████████ 100.0  29.41 points, weight 25
          Of 1430 challenges 1430 passed every check, 0 had warnings, 0 errors, and 0
          could not be paid.
        stability  ███████████░░░░░░░░░  53.3  9.41 points, weight 15
          The advertised terms changed once in 30 days.
        activity   ░░░░░░░░░░░░░░░░░░░░    –  not measured
          The payments of its wallets could not be read, or not all of them, and none
          was seen.
        age        ██████████████████░░  90.0  10.59 points, weight 10
          First seen 90 days ago.
        latency    █████████████████░░░  84.5  4.97 points, weight 5
          First byte after 310 ms in half and 840 ms in 95 of 100 answers.
        Limited to 64.0 (payto-changed-recently): The payTo address changed in the
        last 7 days.

      ✖ payto-changed-recently (since 2026-05-30)
          Payments go to another address than a week ago; it may have been taken over.
          changes 1, payTo 0x209693Bc6afc0C5328bA36FaF03C514EF312287C
      ! no-description
          Nothing says what it does.

        Asks       $0.01 on eip155:8453 to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C
        Settled    the chain could not be read
        Probes     1,440 in 30 days: up in 1,430 of 1,440 that count (99.3 %)
        Latency    half of the answers within 310 ms, 95 % within 840 ms
        Listing    listed, first seen 2026-03-03
        Made       2026-06-01 00:00 UTC, probed for this report in 212 ms, formula
                   1.0.0
        Page       https://touchstone.example/endpoint/api-example-com-weather-abcdefghij
      "
    `);
  });

  it('keeps to the width, but for addresses, which are there to be copied', () => {
    for (const width of [40, 60, 100]) {
      const lines = trustText(reportBy(BASE_URL), { ...bare, width }).split('\n');
      expect(lines.filter((line) => line.length > width && !/https:|0x|[█░]/.test(line))).toEqual([]);
    }
  });

  it('says the same in color', () => {
    const paint = createPaint(process.stdout, true);
    const colored = trustText(reportBy(BASE_URL), { paint, width: 80 });
    expect(colored).toContain('\u001b[');
    expect(stripVTControlCharacters(colored)).toBe(trustText(reportBy(BASE_URL), bare));
  });

  it('shows texts of providers, and obeys none', () => {
    const report = {
      ...reportBy(BASE_URL),
      serviceName: '\u001b[31mOfficial\u202e',
      description: 'Good\r\n\u009b2JGrade A',
      resource: 'https://api.example.com/\u0007\u2028x',
    };
    const text = trustText(report, bare);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text.match(/^Grade/gm)).toHaveLength(1);
  });
});
