import { expect, it } from 'vitest';
import { createTestCategory } from '../../testing/test-category.ts';
import { routeCategoryPage } from './known-categories.ts';

const find = (name: string) =>
  Promise.resolve(name === 'machine-learning' ? createTestCategory({ tag: 'machine learning' }) : null);

it.each([
  ['machine-learning', { kind: 'serve' }],
  ['Machine-Learning', { kind: 'redirect', path: '/category/machine-learning' }],
  ['machine%20learning', { kind: 'unknown' }],
  ['maps', { kind: 'unknown' }],
  ['', { kind: 'unknown' }],
  ['machine-learning-', { kind: 'unknown' }],
])('decides on the category page %j', async (name, route) => {
  expect(await routeCategoryPage(name, find)).toEqual(route);
});

it('serves a page that may be in the cache while the categories cannot be read', async () => {
  const fail = () => Promise.reject(new Error('The database is not available.'));
  expect(await routeCategoryPage('maps', fail)).toEqual({ kind: 'serve' });
  expect(await routeCategoryPage('<b>', fail)).toEqual({ kind: 'unknown' });
});
