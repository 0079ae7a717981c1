import { describe, expect, it } from 'vitest';
import { preflight } from './preflight.ts';

const allowedFor = (asked?: string) => {
  const headers = asked === undefined ? {} : { 'access-control-request-headers': asked };
  const answer = preflight(
    new Request('http://localhost/v1/x402-trust', { method: 'OPTIONS', headers }),
    'POST, OPTIONS',
  );
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('vary')).toBe('Access-Control-Request-Headers');
  return answer.headers.get('access-control-allow-headers');
};

describe('preflight', () => {
  it.each([
    // What Chromium asks for @x402/fetch 2.25, before the first request and before the one that is paid.
    'access-control-expose-headers,content-type',
    'access-control-expose-headers,content-type,payment-signature',
    'x-payment',
    'traceparent, x-b3-traceid',
  ])('lets a page send %s', (asked) => {
    expect(allowedFor(asked)).toBe(asked);
  });

  it.each([undefined, '', ',', 'a b', 'x<script>', 'a;b', `${'a,'.repeat(1_100)}a`])(
    'answers %j with the usual headers',
    (asked) => {
      for (const name of ['Content-Type', 'PAYMENT-SIGNATURE', 'X-PAYMENT', 'If-None-Match']) {
        expect(allowedFor(asked)).toContain(name);
      }
    },
  );
});
