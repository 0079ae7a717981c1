import { FLAG_CATALOGUE } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { describeCause } from './cause-text.ts';

describe('describeCause', () => {
  it.each([
    ['timeout', 'No complete response in time', 'counts as down'],
    ['http-404', 'HTTP 404 Not Found', 'counts as down'],
    ['http-503', 'HTTP 503 Service Unavailable', 'counts as down'],
    ['http-599', 'HTTP 599', 'counts as down'],
    ['http-429', 'HTTP 429 Too Many Requests', 'not counted in the uptime'],
    ['http-405', 'HTTP 405 Method Not Allowed', 'not counted in the uptime'],
    ['redirect', 'Redirect that was not followed', 'not counted in the uptime'],
    ['new-cause', 'new-cause', 'counts as down'],
  ])('describes %s', (cause, label, effect) => {
    expect(describeCause(cause)).toMatchObject({ label, effect });
  });

  it('links to flags that the methodology explains', () => {
    const anchors = ['timeout', 'http-403', 'redirect'].map((cause) => describeCause(cause).href);
    const flags = FLAG_CATALOGUE.map(({ slug }) => `/methodology#flag-${slug}`);
    expect(flags).toEqual(expect.arrayContaining(anchors));
  });
});
