import { expect, it } from 'vitest';
import { toEndpointId } from './endpoint-id.ts';

it.each([
  ['https://api.example.com/v1/price', 'd2ou4p6sf4'],
  ['https://api.example.com/', 'pk5sbjdsuj'],
])('of %s is %s', (url, id) => {
  // Computed with: printf URL | openssl dgst -sha256 -binary | base32 | tr A-Z a-z | cut -c1-10
  expect(toEndpointId(url)).toBe(id);
});
