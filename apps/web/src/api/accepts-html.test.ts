import { describe, expect, it } from 'vitest';
import { acceptsHtml } from './accepts-html.ts';

describe('acceptsHtml', () => {
  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/json;q=0.5, text/html;q=0.8',
    'application/json, text/html',
    'text/html;level=1;q=0.1',
    '*/*,text/html;q=0.001',
  ])('returns true for %j', (accept) => {
    expect(acceptsHtml(accept)).toBe(true);
  });

  it.each([
    null,
    '',
    '*/*',
    'application/json, text/html;q=0.9',
    'text/html;q=0',
    'text/html;q=0.000, application/json',
    'text/html;q=2',
    'text/html-not',
    ',;,;q=',
  ])('returns false for %j', (accept) => {
    expect(acceptsHtml(accept)).toBe(false);
  });
});
