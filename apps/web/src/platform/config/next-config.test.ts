import { describe, expect, it } from 'vitest';
import nextConfig from '../../../next.config.ts';
import { PAGE_LIFETIME_S } from '../../serving/page-cache/page-lifetime.ts';

const headers = await nextConfig.headers();

describe('response headers', () => {
  it.each([
    ['/v1/:path*', "default-src 'none'; frame-ancestors 'none'"],
    ['/:path((?!v1/).*)', "script-src 'self';"],
  ])('forbid inline scripts, other origins and frames at %s', (path, part) => {
    const entry = headers.find(({ source }) => source === path);
    const policy = entry?.headers.find(({ key }) => key === 'Content-Security-Policy')?.value ?? '';
    expect(policy).toContain(part);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(entry).not.toHaveProperty('has');
  });

  it('make only scripts immutable whose name contains their version or a hash', () => {
    const immutable = headers.filter(({ headers: fields }) =>
      fields.some(({ value }) => value.includes('immutable')),
    );
    expect(immutable.map(({ source }) => source)).toEqual(['/shared-:hash([\\w-]+).js']);
  });

  it('require HTTPS only for requests over HTTPS', () => {
    const strict = headers.filter(({ headers }) =>
      headers.some(({ key }) => key === 'Strict-Transport-Security'),
    );
    expect(strict).toMatchObject([{ has: [{ key: 'x-forwarded-proto', value: 'https' }] }]);
  });
});

describe('page lifetime', () => {
  it('allows no stale response in shared caches', () => {
    expect(nextConfig.expireTime).toBe(PAGE_LIFETIME_S);
  });
});
