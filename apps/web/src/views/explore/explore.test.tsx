import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { MAX_MATCHES } from '../../explore/search-query.ts';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import type { EndpointMatch } from '../../trpc/search-router.ts';
import { Explore } from './explore.tsx';

const render = (query: string, ...matches: readonly Partial<EndpointMatch>[]) =>
  renderToStaticMarkup(<Explore query={query} matches={matches.map((match) => createTestSnapshot(match))} />);

describe('Explore', () => {
  it('has a form that works without JavaScript and contains the query', () => {
    const html = render('fx "line"', {});
    expect(html).toContain('action="/explore" method="get"');
    expect(html).toContain('value="fx &quot;line&quot;"');
    expect(html).toContain('maxLength="200"');
  });

  it('shows verdict, figures and provider texts of a match', () => {
    const text = extractText(render('weather', {}));
    for (const part of [
      '1 endpoint for “ weather ”.',
      'Names and descriptions are unverified claims of the providers.',
      'api.example.com/weather',
      'Weather The weather anywhere.',
      'Proceed',
      'Score 87.4',
      'Uptime 99.9%',
      'Price $0.005 on Base',
    ]) {
      expect(text).toContain(part);
    }
    expect(render('weather', {})).toContain('href="/endpoint/api-example-com-weather-abcdefgh27"');
    expect(render('weather', {})).toContain('aria-label="Grade A"');
  });

  it('states the order and the number of several matches', () => {
    const two = [{ slug: 'a-abcdefgh27' }, { slug: 'b-abcdefgh27' }];
    expect(extractText(render('weather', ...two))).toContain(
      '2 endpoints for “ weather ”, best match first.',
    );
    const all = Array.from({ length: MAX_MATCHES }, (_, at) => ({ slug: `a-${at}-abcdefgh27` }));
    expect(extractText(render('weather', ...all))).toContain('Top 25 endpoints for “ weather ”');
  });

  it('shows a text for missing figures, and no score for an ungraded endpoint', () => {
    const text = extractText(
      render('x', { grade: '?', uptime30d: null, amountUsd: null, network: null, description: null }),
    );
    expect(text).toContain('Score none');
    expect(text).toContain('Uptime not measured');
    expect(text).toContain('Price not advertised');
    expect(extractText(render('x', { amountUsd: null }))).toContain('Price not in US dollars');
    expect(extractText(render('x', { templated: true }))).toContain('$0.005 per item');
  });

  it('marks endpoints that no directory lists', () => {
    expect(extractText(render('x', { listingStatus: 'delisted' }))).toContain('Delisted');
    expect(extractText(render('x', { listingSource: 'adopted' }))).toContain('Not listed');
    expect(extractText(render('x', {}))).not.toMatch(/delisted|not listed/i);
  });

  it('explains an empty query, a query without a match and a query that is too long', () => {
    expect(extractText(render(''))).not.toContain('No endpoint found');
    expect(extractText(render('zzz'))).toContain('No endpoint found for “ zzz ” Check the spelling');
    expect(extractText(render('x'.repeat(201)))).toContain('The search text is too long Use at most 200');
  });

  it('renders the query and provider texts as text', () => {
    const hostile = '"><script>alert(1)</script>';
    const html = render(hostile, { serviceName: hostile, description: hostile, network: hostile });
    expect(html).not.toContain('<script');
    expect(render(hostile)).not.toContain('<script');
  });

  it('has no style attribute, because the content security policy forbids it', () => {
    expect(render('x', {})).not.toContain('style=');
  });
});
