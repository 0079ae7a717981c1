import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ExploreApp } from '../browser/explore-app.tsx';
import type { EndpointMatch } from '../endpoint-match.ts';
import { parseExploreParams } from '../explore-params.ts';
import type { FirstPage } from '../list-endpoints.ts';
import { Explore } from './explore.tsx';
import { extractText } from '../../../testing/html-text.ts';
import { createTestSnapshot } from '../../../testing/test-snapshot.ts';

const counts = {
  grades: { A: 7 },
  recommendations: { proceed: 7, avoid: 1_200 },
  properties: { reachable: 1_100 },
  listings: { listed: 1_207, delisted: 2 },
  networks: { 'eip155:7': 3, 'eip155:8453': 1_204 },
  tags: { weather: 9 },
};

/** Creates the page of a URL with the given matches. */
function createPage(
  query: string,
  matches: readonly Partial<EndpointMatch>[],
  result: Partial<FirstPage['result']> = {},
): FirstPage {
  return {
    ...parseExploreParams(new URLSearchParams(query)),
    result: {
      matches: matches.map((match) => createTestSnapshot(match)),
      next: null,
      total: matches.length,
      isTotalMinimum: false,
      counts,
      ...result,
    },
  };
}

const renderPage = (page: FirstPage) => renderToStaticMarkup(<Explore page={page} />);
const render = (query: string, ...matches: readonly Partial<EndpointMatch>[]) =>
  renderPage(createPage(query, matches));
/** Returns the text of the page without the filters. */
const renderResult = (query: string, ...matches: readonly Partial<EndpointMatch>[]) =>
  extractText(render(query, ...matches).replace(/<details[\s\S]*?<\/details>/, ''));

describe('Explore', () => {
  it('has a form that works without JavaScript and contains the parameters', () => {
    const html = render('q=fx+"line"&grade=A&network=eip155:7&max_price=0.1&tag=maps&sort=price', {});
    expect(html).toContain('action="/explore" method="get"');
    expect(html).toContain('name="q" value="fx &quot;line&quot;"');
    expect(html).toContain('maxLength="500"');
    expect(html).toContain('name="max_price" value="0.1"');
    expect(html.match(/checked=""/g)).toHaveLength(2);
    expect(html).toContain('<option value="price" selected="">');
    expect(html).toContain('<option value="maps" selected="">maps (0)</option>');
    expect(html).toContain('Apply filters');
  });

  it('says that the endpoints are the nearest in meaning, or that only words were compared', () => {
    const nearest = extractText(renderPage(createPage('q=llm', [{}], { fallback: 'meaning' })));
    expect(nearest).toContain('1 endpoint near the meaning of “llm”, nearest first');
    expect(nearest).toContain('These endpoints are the nearest in meaning.');
    expect(nearest).toContain('Only endpoints that a directory lists were searched.');
    expect(renderPage(createPage('q=llm', []))).toContain('href="/explore?q=llm&amp;status=all"');
    expect(renderPage(createPage('q=llm&status=all', []))).not.toContain('were searched');
    const unavailable = extractText(renderPage(createPage('q=llm', [], { fallback: 'unavailable' })));
    expect(unavailable).toMatch(/No endpoint found for “\s*llm\s*”\s+Only words were compared, because/);
  });

  it('shows the number of endpoints of each choice, the most frequent network first', () => {
    const text = extractText(render('', {}));
    expect(text).toContain('Grade A 7 B 0 C 0');
    expect(text).toContain('Proceed 7 Caution 0');
    expect(text).toContain('Avoid 1,200');
    expect(text).toContain('Measured Reachable 1,100 Compliant 0 Delivery verified 0');
    expect(text).toContain('Network Base 1,204 EVM chain 7 3 Price per call, USD');
    expect(text).toContain('Any tag weather (9) Listing Listed (1,207) Delisted (2)');
    expect(text).toContain('Added by a report (0) All endpoints (1,209)');
  });

  it('shows choices without a number if their endpoints were not counted', () => {
    const uncounted = { ...counts, grades: { A: null }, tags: { weather: null }, listings: { listed: null } };
    const text = extractText(renderPage(createPage('tag=weather', [], { counts: uncounted })));
    expect(text).toContain('Any tag weather Listing Listed Delisted');
    for (const wrong of ['Grade A B 0', 'Delisted (0)']) expect(text).not.toContain(wrong);
    expect(text).toContain('All endpoints Apply');
  });

  it('shows verdict, figures and provider texts of a match', () => {
    const text = renderResult('q=weather', {});
    for (const part of [
      '1 endpoint for “weather”',
      'Names and descriptions are unverified claims of the providers.',
      'api.example.com/weather',
      'Weather · The weather anywhere.',
      'Proceed',
      'Score 87.4',
      'Uptime 99.9 %',
      'Price $0.005 on Base',
    ]) {
      expect(text).toContain(part);
    }
    expect(render('q=weather', {})).toContain('href="/endpoint/api-example-com-weather-abcdefgh27"');
    expect(render('q=weather', {})).toContain('aria-label="Grade A"');
  });

  it.each([
    ['', {}, '2 endpoints, highest score first'],
    ['q=fx', {}, '2 endpoints for “fx”, one per host and description, best match first'],
    ['q=fx&host=a.example', {}, '2 endpoints for “fx”, best match first'],
    ['sort=newest', {}, '2 endpoints, newest endpoint first'],
    ['', { total: 240 }, '2 of 240 endpoints, highest score first'],
    ['', { total: 1_000, isTotalMinimum: true }, '2 of 1,000 or more endpoints, highest score first'],
    ['after=abc', { total: null }, '2 further endpoints, highest score first'],
  ])('states the number of endpoints and the order of ?%s with %j', (query, result, text) => {
    const page = createPage(query, [{ slug: 'a-abcdefgh27' }, { slug: 'b-abcdefgh27' }], result);
    expect(extractText(renderPage(page))).toContain(text);
  });

  it('links the next page and the first page with the same filters', () => {
    const html = renderPage(createPage('grade=A&after=abc', [{}], { next: 'def', total: null }));
    expect(html).toContain('href="/explore?grade=A&amp;after=def"');
    expect(html).toContain('href="/explore?grade=A"');
    expect(render('', {})).not.toContain('after=');
  });

  it('lists the active filters as links that remove one filter each', () => {
    const html = render('q=fx&grade=A,F&min_price=0.01&host=a.example&status=delisted&after=abc', {});
    const list = /<ul aria-label="Active filters"[\s\S]*?<\/ul>/.exec(html)?.[0] ?? '';
    expect([...list.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll('&amp;', '&'))).toEqual([
      '/explore?q=fx&grade=F&min_price=0.01&host=a.example&status=delisted',
      '/explore?q=fx&grade=A&min_price=0.01&host=a.example&status=delisted',
      '/explore?q=fx&grade=A,F&host=a.example&status=delisted',
      '/explore?q=fx&grade=A,F&min_price=0.01&status=delisted',
      '/explore?q=fx&grade=A,F&min_price=0.01&host=a.example',
    ]);
    expect(extractText(html)).toContain('Filters and sorting (5)');
    expect(html).toContain('<a href="/explore?q=fx">Remove all filters</a>');
  });

  it('shows a text for missing figures, and no score for an ungraded endpoint', () => {
    const text = renderResult('', { grade: '?', uptime30d: null, amountUsd: null, network: null });
    expect(text).toContain('Score none');
    expect(text).toContain('Uptime not measured');
    expect(text).toContain('Price not advertised');
    expect(renderResult('', { amountUsd: null })).toContain('Price not in US dollars');
    expect(renderResult('', { templated: true })).toContain('$0.005 per item');
  });

  it('marks endpoints that no directory lists', () => {
    expect(renderResult('', { listingStatus: 'delisted' })).toContain('Delisted');
    expect(renderResult('', { listingSource: 'adopted' })).toContain('Not listed');
    expect(renderResult('', {})).not.toMatch(/delisted|not listed/i);
  });

  it('explains an empty result and offers a way forward', () => {
    expect(renderResult('q=zzz')).toContain('No endpoint found for “ zzz ” Check the spelling');
    expect(renderResult('q=zzz&grade=A')).toContain('with these filters Remove all filters');
    expect(renderResult('')).toContain('No endpoints yet Endpoints appear here');
    expect(renderResult('grade=A')).toContain('No endpoint has all of these properties Remove all filters');
  });

  it('names values that are not valid with their expected format in the status', () => {
    const html = render('grade=Z,Y&min_price=x', {});
    const status = /<div id="result-count" role="status"[\s\S]*?<\/div><\/div>/.exec(html)?.[0] ?? '';
    expect(extractText(status)).toContain(
      '1 endpoint These values are not valid and have no effect: grade=Z,Y . Use A, B, C, D, F or ?. min_price=x . Use a number',
    );
    expect(renderResult(`q=${'x'.repeat(501)}`, {})).toContain('Use at most 500 characters.');
    expect(renderResult('grade=A', {})).not.toContain('not valid');
  });

  it('marks a text field whose value is not valid, and keeps the value', () => {
    const html = render('min_price=free&host=a.example', {});
    const [field = '', ...others] = html.match(/<input[^>]*aria-invalid="true"[^>]*>/g) ?? [];
    expect(others).toEqual([]);
    expect(field).toContain('name="min_price" value="free"');
    const id = /aria-describedby="([^"]*)"/.exec(field)?.[1] ?? '';
    const message = new RegExp(`<p id="${id}"[^>]*>(.*?)</p>`).exec(html)?.[1] ?? '';
    expect(extractText(message)).toBe('Not valid. Use a number of US dollars such as 0.05.');
    expect(render('min_price=0.1&host=a.example', {})).not.toContain('aria-invalid="');
  });

  it('renders parameters and provider texts as text', () => {
    const hostile = '"><script>alert(1)</script>';
    const query = `q=${encodeURIComponent(hostile)}&host=${encodeURIComponent(hostile)}&tag=${encodeURIComponent(hostile)}`;
    const html = render(query, { serviceName: hostile, description: hostile, network: hostile });
    expect(html).not.toContain('<script');
    expect(render(query)).not.toContain('<script');
  });
});

describe('ExploreApp', () => {
  it.each(['', 'q=fx&grade=A,Z&max_price=free&network=eip155:7&sort=price&after=abc', 'q=nothing'])(
    'starts with the HTML of the server for ?%s',
    (query) => {
      const page = createPage(query, query === 'q=nothing' ? [] : [{}], { next: 'def' });
      const server = renderToString(<Explore page={page} />);
      const browser = renderToString(
        <QueryClientProvider client={new QueryClient()}>
          <ExploreApp first={page} />
        </QueryClientProvider>,
      );
      expect(server.includes(browser)).toBe(true);
    },
  );
});
