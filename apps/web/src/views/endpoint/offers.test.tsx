import { TRUST_REPORT_EXAMPLE } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createGuardExample } from '../mcp/guard-example.ts';
import { renderReport as render } from './testing/render-report.tsx';

const FAILURE = {
  at: '2026-03-04T12:00:00.000Z',
  since: '2026-02-20T08:30:00.000Z',
  phase: 'response',
  httpStatus: 410,
  error: 'http-410',
  detail: 'HTTP 410 Gone.',
  causes30d: {},
} as const;

describe('offers on an endpoint page', () => {
  it('offers the paid report with its price and its call in four forms', () => {
    const html = render();
    expect(extractText(html)).toContain('It costs $0.005 in USDC on Base per call');
    expect(html.match(/<details name="call"/g)).toHaveLength(6);
    for (const name of ['CLI', 'TypeScript', 'MCP', 'curl']) {
      expect(html).toContain(`aria-label="Trust report, ${name}"`);
    }
    expect(html).not.toContain('takes no payments');
    expect(render({}, { arePaymentsEnabled: false })).toContain('takes no payments');
  });

  it.each([
    [{ errorFlags: 1, warningFlags: 2 }, 'It names the 1 error and the 2 warnings of this endpoint'],
    [{ errorFlags: 0, warningFlags: 1 }, 'It names the 1 warning of this endpoint'],
    [{ errorFlags: 0, warningFlags: 0 }, 'No flag is raised now.'],
  ])('describes the flags in the report by their numbers %j', (counts, text) => {
    expect(extractText(render(counts))).toContain(text);
  });

  it('has a free sample of a report, and no reason of this endpoint', () => {
    const html = render();
    expect(html).toContain('href="/v1/x402-trust-preview"');
    expect(html).toContain(TRUST_REPORT_EXAMPLE.reasons[0]?.slice(0, 20));
  });

  it('has the free check before a payment as a command', () => {
    expect(extractText(render())).toContain(
      "npx @touchstone/cli guard 'https://api.example.com/weather' --service https://touchstone.example",
    );
    expect(render()).toContain('href="/mcp#guard"');
  });

  it('has the whole program of the guard, whose types a test of docs/guard.md checks', () => {
    expect(extractText(render())).toContain(
      createGuardExample('https://touchstone.example').replace(/\s+/g, ' '),
    );
  });

  it('says that curl only shows the price', () => {
    expect(extractText(render())).toContain('See the price (curl)');
  });

  it('has no landmark for each code block, and a tab stop only for blocks that scroll', () => {
    const blocks = render().match(/<pre\b[^>]*>/g) ?? [];
    expect(blocks.length).toBeGreaterThan(6);
    for (const block of blocks) {
      expect(block).toContain('role="group"');
      expect(block.includes('tabindex')).toBe(block.includes('overflow-auto'));
    }
  });

  it('has the badge with its size, its Markdown, and the same data as JSON', () => {
    const html = render();
    expect(html).toMatch(
      /<img src="\/badge\/abcdefgh27\.svg" alt="Badge: Touchstone, Proceed · Grade A" width="\d+" height="20"/,
    );
    expect(html).toContain(
      '[![Touchstone trust grade of api.example.com](https://touchstone.example/badge/abcdefgh27.svg)]',
    );
    expect(html).toContain('href="/endpoint/api-example-com-weather-abcdefgh27.json"');
  });

  it('offers a watch with its price and its command', () => {
    expect(render()).toContain('href="#watch"');
    expect(extractText(render())).toMatch(/Watch this endpoint for 30 days, \$0\.20 .* watch create 'https:/);
  });
});

describe('the call of the endpoint', () => {
  it('has the example of the provider, marked as a claim', () => {
    const html = render({ exampleRequest: { query: [['city', '<Oslo>']], body: null } });
    expect(extractText(html)).toContain("curl -i -X GET 'https://api.example.com/weather?city=%3COslo%3E'");
    expect(extractText(html)).toContain('The example values are an unverified claim.');
    expect(extractText(render())).not.toContain('example values are');
  });

  it('pays with the guard, unless the endpoint is free', () => {
    expect(extractText(render())).toContain('await fetchAndPay("https://api.example.com/weather"');
    const free = extractText(render({ recommendation: 'free', grade: '?' }));
    expect(free).not.toContain('Pay with the guard');
  });

  it('is closed and pays nothing for an endpoint to avoid', () => {
    const html = render({ recommendation: 'avoid' });
    expect(html).toMatch(/<summary[^>]*><h2 id="use-title"/);
    expect(html).toContain('aria-label="Call, curl"');
    expect(extractText(html)).not.toMatch(/Pay with the guard|fetchAndPay\("https:\/\/api/);
  });

  it('reaches a simulated endpoint with the command line, because its host has no address', () => {
    const resource = 'https://api.sandbox.test/weather';
    const html = render({ resource, host: 'api.sandbox.test' }, { baseUrl: 'http://localhost:3000' });
    expect(extractText(html)).toContain(`npx --no-install touchstone lint '${resource}' --sandbox`);
    expect(extractText(html)).toContain('How to call a real endpoint');
    expect(extractText(render())).not.toContain('simulated');
  });

  it.each([
    [{}, 'Without a payment, the endpoint responds with status 402 and its payment terms.'],
    [{ recommendation: 'free', grade: '?' }, 'The endpoint returns its data without a payment.'],
    [
      { failingSince: FAILURE.since, lastFailure: FAILURE },
      'At the latest probe, we received status 410 and no payment challenge.',
    ],
    [{ failingSince: FAILURE.since }, 'At the latest probe, we received no payment challenge.'],
    [{ isCompliant: null }, 'No probe has received a payment challenge, which'],
  ] as const)('says which response the latest probes received: %j', (overrides, sentence) => {
    expect(extractText(render(overrides))).toContain(sentence);
  });
});
