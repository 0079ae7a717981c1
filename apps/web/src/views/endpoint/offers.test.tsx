import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createGuardExample } from '../mcp/guard-example.ts';
import { renderReport as render } from './testing/render-report.tsx';

describe('offers on an endpoint page', () => {
  it('offers the paid report with its price and its call in four forms', () => {
    const html = render();
    expect(extractText(html)).toContain('It costs $0.005 in USDC on Base per call');
    expect(html.match(/<details name="call"/g)).toHaveLength(4);
    for (const name of ['CLI', 'TypeScript', 'MCP', 'curl']) {
      expect(html).toContain(`aria-label="Trust report, ${name}"`);
    }
    expect(html).not.toContain('takes no payments');
    expect(render({}, { arePaymentsEnabled: false })).toContain('takes no payments');
  });

  it.each([
    [
      { errorFlags: 1, warningFlags: 2 },
      'The 1 error flag and the 2 warnings of this endpoint by name. Each flag has its evidence',
    ],
    [{ errorFlags: 0, warningFlags: 1 }, 'The 1 warning of this endpoint by name'],
    [{ errorFlags: 0, warningFlags: 0 }, 'No flag is raised now.'],
  ])('describes the flags in the report by their numbers %j', (counts, text) => {
    expect(extractText(render(counts))).toContain(text);
  });

  it.each([
    [null, 'A list of similar endpoints'],
    [0, 'No similar endpoint of another host has a better score now.'],
    [1, 'The one similar endpoint'],
    [3, '3 similar endpoints of other hosts'],
    [10, 'At least 10 similar endpoints'],
  ])('offers %j alternatives', (betterAlternatives, text) => {
    expect(extractText(render({ betterAlternatives }))).toContain(`Alternatives $0.005 ${text}`);
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

  it('opens a form that pays, and says that curl only shows the price', () => {
    const text = extractText(render());
    expect(render()).toMatch(/<details name="call"[^>]* open=""[^>]*><summary[^>]*>CLI</);
    expect(text).toContain('See the price (curl)');
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
      /<img src="\/badge\/abcdefgh27\.svg" alt="Badge: Touchstone, Grade A" width="\d+" height="20"/,
    );
    expect(html).toContain(
      '[![Touchstone trust grade of api.example.com](https://touchstone.example/badge/abcdefgh27.svg)]',
    );
    expect(html).toContain('href="/endpoint/api-example-com-weather-abcdefgh27.json"');
  });

  it('offers a watch with its price', () => {
    expect(render()).toContain('href="/docs#createWatch"');
    expect(extractText(render())).toContain('Watch for 30 days $0.20 Probes this endpoint every 5 minutes.');
  });
});
