import { describe, expect, it } from 'vitest';
import { createDocumentResponse, respondToPreflight } from './responses.ts';

const document = { text: '{"a":1}', type: 'application/json', maxAgeSeconds: 300 };
const requestDocument = (tag?: string) =>
  createDocumentResponse(
    new Request('http://localhost/', { headers: tag === undefined ? {} : { 'if-none-match': tag } }),
    document,
  );

describe('createDocumentResponse', () => {
  it('has the document with its maximum age and ETag', async () => {
    const response = requestDocument();
    expect(await response.text()).toBe(document.text);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
  });

  it('responds with 304 to a matching If-None-Match', async () => {
    const tag = requestDocument().headers.get('etag') ?? '';
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const response = requestDocument(known);
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(tag);
      expect(await response.text()).toBe('');
    }
    expect(requestDocument('"other"').status).toBe(200);
  });
});

const getAllowedHeaders = (requested?: string) => {
  const headers = requested === undefined ? {} : { 'access-control-request-headers': requested };
  const response = respondToPreflight(
    new Request('http://localhost/v1/x402-trust', { method: 'OPTIONS', headers }),
    'POST, OPTIONS',
  );
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('vary')).toBe('Access-Control-Request-Headers');
  return response.headers.get('access-control-allow-headers');
};

describe('respondToPreflight', () => {
  it.each([
    // Chromium sends the first two lists for @x402/fetch 2.27: the first list before the unpaid request, and the second
    // list before the paid request.
    'access-control-expose-headers,content-type',
    'access-control-expose-headers,content-type,payment-signature',
    'x-payment',
    'traceparent, x-b3-traceid',
  ])('allows %s', (requested) => {
    expect(getAllowedHeaders(requested)).toBe(requested);
  });

  it.each([undefined, '', ',', 'a b', 'x<script>', 'a;b', `${'a,'.repeat(1_100)}a`])(
    'allows the default headers for %j',
    (requested) => {
      for (const name of ['Content-Type', 'PAYMENT-SIGNATURE', 'X-PAYMENT', 'If-None-Match']) {
        expect(getAllowedHeaders(requested)).toContain(name);
      }
    },
  );
});
