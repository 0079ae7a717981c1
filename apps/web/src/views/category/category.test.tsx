import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestCategory } from '../../testing/test-category.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import {
  type CategoryPage,
  createCategoryCollection,
  createCategoryMetadata,
  toCategoryName,
} from './category-page.ts';
import { CategoryView } from './category-view.tsx';

const createPage = (overrides: Partial<CategoryPage> = {}): CategoryPage => ({
  ...createTestCategory(),
  snapshots: [createTestSnapshot()],
  ...overrides,
});
const render = (...args: Parameters<typeof createPage>) =>
  renderToStaticMarkup(
    <CategoryView
      page={createPage(...args)}
      categories={[createTestCategory(), createTestCategory({ tag: 'machine learning', endpoints: 7 })]}
    />,
  );

describe('the page of a category', () => {
  it('has a title, figures and the endpoints', () => {
    const text = extractText(render());
    for (const part of [
      'Weather APIs that accept x402',
      '12 listed endpoints of 4 hosts have the tag “weather”.',
      '9 of them have the recommendation Proceed.',
      'Across all 12, advertised prices are $0.001 to $0.25 per call.',
      'api.example.com/weather',
    ])
      expect(text).toContain(part);
    expect(extractText(render({ proceed: 1 }))).toContain('1 of them has the recommendation');
    expect(extractText(render({ lowestPriceUsd: '0.25' }))).toContain('advertised prices are $0.25 per call');
    expect(extractText(render({ lowestPriceUsd: null, highestPriceUsd: null }))).not.toContain(
      'advertised prices',
    );
  });

  it('links all endpoints with the tag, and the other categories', () => {
    const html = render();
    expect(html).toContain('<a href="/explore?tag=weather">12 listed endpoints</a>');
    expect(html).toContain('<a href="/explore?recommendation=proceed&amp;tag=weather">9 of them</a>');
    expect(extractText(html)).toContain('The 1 best endpoints');
    expect(extractText(html)).toContain('Explore all 12 endpoints');
    expect(extractText(render({ endpoints: 1 }))).toContain('Filter and sort these endpoints');
    expect(html).toContain('href="/category/machine-learning"');
    expect(html).not.toContain('href="/category/weather"');
  });

  it('has metadata for search engines', () => {
    const { description = '', robots, alternates } = createCategoryMetadata(createPage());
    expect(description).toContain('12 x402 endpoints of 4 hosts with the tag weather, $0.001 to $0.25');
    expect(robots).toBeUndefined();
    expect(alternates?.canonical).toBe('/category/weather');
    const { breadcrumbs, name } = createCategoryCollection(createPage());
    expect(name).toBe('Weather APIs that accept x402');
    expect(breadcrumbs.at(-1)).toEqual({ name: 'Weather', path: '/category/weather' });
  });

  it.each([
    ['machine learning', 'Machine learning'],
    ['llm', 'LLM'],
    ['ai-agents', 'AI-agents'],
    ['3d', '3d'],
  ])('names the tag %s %s', (tag, name) => {
    expect(toCategoryName({ tag })).toBe(name);
  });
});
