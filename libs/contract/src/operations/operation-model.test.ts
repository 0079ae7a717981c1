import { expect, it } from 'vitest';
import { replaceResource } from './operation-model.ts';

it('replaces the resource of a body that has one, and leaves others unchanged', () => {
  const url = 'https://example.com/';
  expect(replaceResource({ resource: 'https://a.example/', days: 7 }, url)).toEqual({
    resource: url,
    days: 7,
  });
  expect(replaceResource({ resource: 'https://a.example/' }, undefined)).toEqual({
    resource: 'https://a.example/',
  });
  expect(replaceResource({ endpoint: 'https://a.example/', events: [] }, url)).toEqual({
    endpoint: url,
    events: [],
  });
  expect(replaceResource({ resources: ['https://a.example/', 'https://b.example/'] }, url)).toEqual({
    resources: [url, 'https://b.example/'],
  });
  expect(replaceResource({ query: 'weather' }, url)).toEqual({ query: 'weather' });
});
