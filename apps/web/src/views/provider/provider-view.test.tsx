import type { HostClaim, Provider, Snapshot } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestProvider } from '../../testing/test-provider.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { OwnerSection } from './owner-section.tsx';
import { ProviderView } from './provider-view.tsx';

const render = (
  provider: Partial<Provider> = {},
  snapshots: readonly Partial<Snapshot>[] = [{}],
  claim: HostClaim | null = null,
): string =>
  renderToStaticMarkup(
    <ProviderView
      provider={createTestProvider(provider)}
      snapshots={snapshots.map((snapshot) => createTestSnapshot(snapshot))}
      claim={claim}
    />,
  );

describe('ProviderView', () => {
  it('shows the figures of all endpoints with their unit, window and age', () => {
    const text = extractText(render());
    for (const part of [
      'Endpoints 120 110 listed, 10 not listed',
      'Uptime, since 2026-03-02 98.7 % of the scored probes of all endpoints',
      'Failing now 4 of 120, by the latest probe',
      'Price per call $0.001 to $0.25 in USDC, as advertised',
      'Networks Base, Polygon',
      'First seen 2026-01-02',
      'Newest score computed 2026-03-04 12:34 UTC',
      'Grades of 120 endpoints',
      'Proceed 60',
    ]) {
      expect(text).toContain(part);
    }
    expect(render()).toContain('data-age-of="2026-03-04T12:34:56.000Z"');
  });

  it('summarizes the verdicts, with their distribution from ten endpoints on', () => {
    const verdicts = (proceed: number, endpoints: number) =>
      extractText(
        render({ endpoints, recommendations: { ...createTestProvider().recommendations, proceed } }, [
          { score: 81.7, grade: 'A' },
        ]),
      );
    expect(verdicts(1, 2)).toContain(
      '1 of 2 endpoints has the recommendation Proceed; best score 81.7 (Grade A).',
    );
    expect(verdicts(0, 1)).toContain('None of 1 endpoint has the recommendation Proceed;');
    expect(verdicts(2, 9)).not.toContain('Grades of');
    expect(verdicts(2, 10)).toContain('2 of 10 endpoints have the recommendation Proceed');
    expect(verdicts(2, 10)).toContain('Grades of');
    const ungraded = extractText(render({}, [{ grade: '?' }]));
    expect(ungraded).toContain('60 of 120 endpoints have the recommendation Proceed. Several');
  });

  it('links each count to the list of these endpoints of the host', () => {
    const html = render();
    for (const filter of ['grade=A', 'recommendation=avoid'])
      expect(html).toMatch(
        new RegExp(
          `href="/explore\\?[^"]*${filter}[^"]*host=api.example.com|host=api.example.com[^"]*${filter}`,
        ),
      );
  });

  it('says that a large host has the uptime of a sample', () => {
    expect(extractText(render({ endpoints: 5_000, sampled: 1_000 }))).toContain(
      'of the scored probes of 1,000 endpoints, selected at random',
    );
  });

  it('shows the endpoints before the figures of the host', () => {
    const text = extractText(render());
    expect(text.indexOf('Filter and sort')).toBeLessThan(text.indexOf('First seen'));
  });

  it('shows the uptime of each day over all endpoints, with a gap for a day without a scored probe', () => {
    const html = render();
    expect(extractText(html)).toContain(
      '2026-03-04 100 % 100 2026-03-03 none scored none scored 2026-03-02 75.0 % 200',
    );
    expect(html).toContain('<script src="/charts.js" defer="">');
    expect(render({ days: [] })).not.toContain('<figure');
  });

  it('states missing figures as text', () => {
    const text = extractText(
      render({ uptime30d: null, lowestPriceUsd: null, highestPriceUsd: null, networks: [] }),
    );
    expect(text).toMatch(/Uptime, since \S+ not measured/);
    expect(text).toContain('Price per call not advertised');
    expect(text).toContain('Networks not advertised');
  });

  it('lists endpoints by path, each with its verdict and a link', () => {
    const html = render({ endpoints: 2 }, [
      { slug: 'a-abcdefgh27', resource: 'https://api.example.com/v1/a?b=1' },
      { slug: 'b-abcdefgh27', resource: 'https://api.example.com', grade: '?', uptime30d: null },
    ]);
    expect(html).toContain('href="/endpoint/a-abcdefgh27"');
    const text = extractText(html);
    expect(text).toContain('Proceed /v1/a?b=1');
    expect(text).toMatch(/Score none .*Uptime not measured/);
    expect(text).toContain('Filter and sort these endpoints');
    expect(html).toContain('href="/explore?host=api.example.com&amp;status=all"');
    expect(html).toContain('href="/events?host=api.example.com"');
  });

  it('shows the claim of the host, and its contact as words of the provider without a link', () => {
    const contact = 'https://api.example.com/security?<b>';
    const html = render({}, [{}], { claimedSince: '2026-03-01T10:00:00.000Z', contact });
    const text = extractText(html);
    expect(text).toContain('Claimed by its provider since 2026-03-01.');
    expect(text).toContain('Contact for security reports, as stated by the provider: ');
    expect(html).toContain('https://api.example.com/security?&lt;b&gt;');
    expect(html).not.toContain('href="https://api.example.com/security');
    expect(extractText(render())).not.toContain('Claimed by');
  });

  it('links to the endpoints that it does not list', () => {
    const text = extractText(render({ endpoints: 400 }));
    expect(text).toContain('The 1 best endpoints');
    expect(text).toContain('Explore all 400 endpoints');
  });

  it('renders untrusted texts as text', () => {
    const hostile = '"><script>alert(1)</script>';
    const html = render({ host: hostile, networks: [hostile] }, [
      { serviceName: hostile, resource: hostile },
    ]);
    expect(html).not.toContain('<script>');
  });
});

describe('OwnerSection', () => {
  const renderSection = (contact?: { readonly email: string } | { readonly url: string }): string =>
    renderToStaticMarkup(
      <OwnerSection
        snapshot={createTestSnapshot({ slug: 'a-abcdefgh27', resource: 'https://api.example.com/v1/a' })}
        baseUrl="https://touchstone.example"
        contact={contact}
      />,
    );

  it('has a command that checks an endpoint, and a link to its badge', () => {
    const html = renderSection();
    expect(extractText(html)).toContain("npx @touchstone/cli lint 'https://api.example.com/v1/a'");
    expect(html).toContain('href="/endpoint/a-abcdefgh27#badge"');
    expect(html).toMatch(/<img src="\/badge\/[^"]+\.svg" alt="Badge: Touchstone, Proceed[^"]*"/);
    expect(html).toContain('href="/check?url=https%3A%2F%2Fapi.example.com%2Fv1%2Fa"');
    expect(html).toContain('href="/claim?host=api.example.com"');
    expect(html).not.toContain('To report a mistake');
  });

  it('has the contact of the configuration', () => {
    expect(renderSection({ email: 'a@b.example' })).toContain('href="mailto:a@b.example"');
    expect(renderSection({ url: 'https://b.example/c' })).toContain('href="https://b.example/c"');
  });
});
