import { describe, expect, it } from 'vitest';
import { documentAnswer } from './answers.ts';

const document = { text: '{"a":1}', type: 'application/json', maxAgeSeconds: 300 };
const ask = (tag?: string) =>
  documentAnswer(
    new Request('http://localhost/', { headers: tag === undefined ? {} : { 'if-none-match': tag } }),
    document,
  );

describe('documentAnswer', () => {
  it('gives the document with its age and its tag', async () => {
    const answer = ask();
    expect(await answer.text()).toBe(document.text);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
  });

  it('gives it to nobody who has it already', async () => {
    const tag = ask().headers.get('etag') ?? '';
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = ask(known);
      expect(answer.status).toBe(304);
      expect(answer.headers.get('etag')).toBe(tag);
      expect(await answer.text()).toBe('');
    }
    expect(ask('"other"').status).toBe(200);
  });
});
