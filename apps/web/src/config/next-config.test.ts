import { describe, expect, it } from 'vitest';
import nextConfig from '../../next.config.ts';
import { PAGE_LIFETIME_S } from '../page-cache/page-lifetime.ts';

const headers = await nextConfig.headers();

describe('the headers of every page', () => {
  it('allow no inline script, no other origin and no frame', () => {
    const [everywhere] = headers;
    const policy = everywhere?.headers.find(({ key }) => key === 'Content-Security-Policy')?.value ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(everywhere).not.toHaveProperty('has');
  });

  it('allow style attributes on the page of the explorer alone, and scripts of others nowhere', () => {
    const policies = headers.flatMap(({ source, headers: fields }) =>
      fields
        .filter(({ key }) => key === 'Content-Security-Policy')
        .map(({ value }) => [source, value] as const),
    );
    expect(policies.filter(([, value]) => value.includes('unsafe')).map(([source]) => source)).toEqual([
      '/docs/explorer',
    ]);
    const [, explorer = ''] = policies.find(([source]) => source === '/docs/explorer') ?? [];
    expect(explorer).toContain("script-src 'self';");
    expect(explorer).toContain("connect-src 'self';");
    expect(explorer).not.toMatch(/https?:|\*/);
  });

  it('keep for good what has its version in its name, and nothing else', () => {
    const kept = headers.filter(({ headers: fields }) =>
      fields.some(({ value }) => value.includes('immutable')),
    );
    expect(kept.map(({ source }) => source)).toEqual(['/openapi-explorer-:version([0-9.]+).js']);
  });

  it('ask for https only where https is spoken', () => {
    const strict = headers.filter(({ headers }) =>
      headers.some(({ key }) => key === 'Strict-Transport-Security'),
    );
    expect(strict).toMatchObject([{ has: [{ key: 'x-forwarded-proto', value: 'https' }] }]);
  });
});

describe('the lifetime of a page', () => {
  it('leaves shared caches no time in which they may show it stale', () => {
    expect(nextConfig.expireTime).toBe(PAGE_LIFETIME_S);
  });
});
