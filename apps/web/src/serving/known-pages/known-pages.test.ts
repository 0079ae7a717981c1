import { expect, it } from 'vitest';
import { toLimitedRefusal } from './known-pages.ts';

it('names the limit that was exceeded: of one IP address, or of all clients', () => {
  const [[, ofClient], headers] = toLimitedRefusal({ limited: 'client', retryAfterSeconds: 30 });
  expect(ofClient).toContain('from one IP address. Wait 30 seconds.');
  expect(headers).toEqual({ 'retry-after': '30' });
  const [[code, ofAll]] = toLimitedRefusal({ limited: 'all', retryAfterSeconds: 2 });
  expect(code).toBe('rate-limited');
  expect(ofAll).toContain('from all clients');
  expect(ofAll).not.toContain('IP address');
});
