import { describe, expect, it } from 'vitest';
import { canonicalize } from '../endpoint/canonicalize.ts';
import { parseItems } from './parse-items.ts';

const option = {
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '10000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x0000000000000000000000000000000000000001',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};

function item(resource: unknown, members: Readonly<Record<string, unknown>> = {}): unknown {
  return { resource, type: 'http', x402Version: 1, accepts: [option], ...members };
}

describe('parseItems', () => {
  it('accepts a listing with its canonical URL', () => {
    const { accepted, rejects } = parseItems([
      item('https://API.example.com:443/price#now', {
        description: 'Prices',
        lastUpdated: '2026-01-02T03:04:05Z',
      }),
    ]);
    const canonical = canonicalize('https://api.example.com/price');
    if (!canonical.ok) throw new Error(canonical.reason);
    expect(rejects).toEqual([]);
    expect(accepted).toMatchObject([
      {
        resource: 'https://api.example.com/price',
        probeUrl: 'https://api.example.com/price',
        host: 'api.example.com',
        id: canonical.id,
        slug: canonical.slug,
        templated: false,
        type: 'http',
        version: 1,
        description: 'Prices',
        options: [{ amount: 10_000n, network: 'eip155:8453' }],
        lastUpdated: Date.UTC(2026, 0, 2, 3, 4, 5),
      },
    ]);
  });

  it('has a probe URL for a template only with example values', () => {
    const info = { input: { type: 'http', method: 'GET', pathParams: { id: 42 } } };
    const { accepted } = parseItems([
      item('https://api.example.com/users/:id'),
      Object.assign({}, item('https://api.example.com/posts/{id}'), { extensions: { bazaar: { info } } }),
    ]);
    expect(accepted).toMatchObject([
      { templated: true, probeUrl: null },
      { templated: true, probeUrl: 'https://api.example.com/posts/42' },
    ]);
  });

  it('rejects items with the advertised URL, cut to 200 characters, and a reason', () => {
    const long = `ftp://api.example.com/${'a'.repeat(500)}`;
    const items = [
      null,
      7,
      'text',
      {},
      item(42),
      item(long),
      item('https://localhost/'),
      { url: 'nonsense' },
    ];
    const { rejects, accepted, duplicates } = parseItems(items);
    expect({ accepted, duplicates }).toEqual({ accepted: [], duplicates: 0 });
    expect(rejects.map(({ resource }) => resource)).toEqual([
      ...['', '', '', '', ''],
      ...[long.slice(0, 200), 'https://localhost/', 'nonsense'],
    ]);
    for (const { reason } of rejects) expect(reason).toMatch(/\w+ \w+/);
  });

  it('handles an item that is nested deeper than the stack', () => {
    const nested: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const deep = item('https://api.example.com/deep', {
      accepts: [{ ...option, extra: nested }, nested],
      extensions: { bazaar: { info: { input: { pathParams: { id: nested } } } } },
      metadata: nested,
    });
    const { accepted, rejects } = parseItems([nested, item(nested), deep, item('https://api.example.com/a')]);
    expect(rejects).toHaveLength(2);
    expect(accepted.map(({ resource }) => resource)).toEqual([
      'https://api.example.com/deep',
      'https://api.example.com/a',
    ]);
  });

  it('rejects MCP tools', () => {
    const { rejects } = parseItems([item('https://api.example.com/mcp', { type: 'MCP' })]);
    expect(rejects).toEqual([
      { resource: 'https://api.example.com/mcp', reason: 'an MCP tool is not an HTTP endpoint' },
    ]);
  });

  it('keeps the latest of several items for one endpoint, in either order', () => {
    const older = item('https://api.example.com/a', {
      lastUpdated: '2026-01-01T00:00:00Z',
      description: 'older',
    });
    const newer = item('https://api.example.com:443/a', {
      lastUpdated: '2026-02-01T00:00:00Z',
      description: 'newer',
    });
    const undated = item('https://api.example.com/a#', { description: 'undated' });
    for (const items of [
      [older, newer, undated],
      [undated, newer, older],
      [newer, older, undated],
    ]) {
      const parsed = parseItems(items);
      expect(parsed.accepted).toMatchObject([{ description: 'newer' }]);
      expect(parsed.duplicates).toBe(2);
    }
  });

  it('prefers an item of type http, else the first item', () => {
    const untyped = item('https://api.example.com/a', { type: undefined, description: 'untyped' });
    const http = item('https://api.example.com/a', { description: 'http' });
    const again = item('https://api.example.com/a', { description: 'again' });
    expect(parseItems([untyped, http, again]).accepted).toMatchObject([{ description: 'http' }]);
    expect(parseItems([http, untyped, again]).accepted).toMatchObject([{ description: 'http' }]);
  });
});
