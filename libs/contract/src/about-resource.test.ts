import { expect, it } from 'vitest';
import { aboutResource } from './about-resource.ts';

it('names the endpoint in a body that is about one, and nowhere else', () => {
  const url = 'https://example.com/';
  expect(aboutResource({ resource: 'https://a.example/', days: 7 }, url)).toEqual({ resource: url, days: 7 });
  expect(aboutResource({ resource: 'https://a.example/' }, undefined)).toEqual({
    resource: 'https://a.example/',
  });
  expect(aboutResource({ query: 'weather' }, url)).toEqual({ query: 'weather' });
});
