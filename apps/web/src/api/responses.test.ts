import { describe, expect, it } from 'vitest';
import { createDocumentResponse } from './responses.ts';

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
