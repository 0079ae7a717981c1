import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { type EndpointRow, EndpointTable } from './endpoint-table.tsx';

const row: EndpointRow = {
  href: '/endpoint/api-example-com-weather-abcdefghij',
  resource: 'https://api.example.com/weather?city=Bern',
  serviceName: 'Weather',
  grade: 'A',
  score: 87.4,
  scoreLow: 85.1,
  recommendation: 'proceed',
  uptime30d: 99.9,
  scoredProbes30d: 1440,
  blockedSince: null,
  latencyMs: 1318,
  latencyLabel: 'moderate',
  amountUsd: '0.005000',
  templated: false,
  network: 'eip155:8453',
  confidence: 0.87,
};

const render = (...rows: readonly EndpointRow[]) =>
  renderToStaticMarkup(<EndpointTable rows={rows} caption="Top endpoints" />);

const getText = (html: string) => html.replace(/<[^>]*>/g, '\n').replace(/\n+/g, '\n');

describe('EndpointTable', () => {
  it('keeps the table roles in the card layout', () => {
    const html = render(row, { ...row, href: '/endpoint/other' });
    expect(html.match(/role="row"/g)).toHaveLength(3);
    expect(html.match(/role="columnheader"/g)).toHaveLength(10);
    expect(html.match(/role="cell"/g)).toHaveLength(20);
    expect(html).toContain('<caption');
  });

  it('shows measurements with units and links to the endpoint page', () => {
    const html = render(row);
    expect(html).toContain('href="/endpoint/api-example-com-weather-abcdefghij"');
    expect(html).toContain('aria-label="Grade A"');
    for (const text of [
      ...['87.4', 'Score, lower bound', '85.1', 'Proceed', '99.9 %', '1,318 ms', 'moderate', '$0.005'],
      ...['Base', '0.87 of 1', 'Weather'],
    ]) {
      expect(getText(html)).toContain(text);
    }
  });

  it('shows missing measurements as text, not as zero', () => {
    const text = getText(
      render({ ...row, uptime30d: null, latencyMs: null, amountUsd: null, network: null }),
    );
    expect(text.match(/not measured/g)).toHaveLength(2);
    expect(text.match(/not advertised/g)).toHaveLength(2);
  });

  it.each([
    [{ amountUsd: null }, 'not in US dollars'],
    [{ templated: true }, 'per item'],
    [{ network: 'eip155:31337' }, 'eip155:31337'],
  ])('shows %j as %s', (change, text) => {
    expect(getText(render({ ...row, ...change }))).toContain(text);
  });

  it('escapes untrusted names', () => {
    const html = render({
      ...row,
      serviceName: '<script>alert(1)</script>\u202E',
      resource: 'https://x/"><img src=x>',
    });
    expect(html).not.toMatch(/<script|<img|\u202E/);
  });
});
