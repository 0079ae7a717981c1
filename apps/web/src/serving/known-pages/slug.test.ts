import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEndpointId } from './slug.ts';

describe('parseEndpointId', () => {
  it('returns the last ten characters', () => {
    expect(parseEndpointId('api-example-com-weather-abcdefgh27')).toBe('abcdefgh27');
    expect(parseEndpointId('abcdefgh27')).toBe('abcdefgh27');
  });

  it.each([
    '',
    'abcdefgh2',
    'api-abcdefgh21',
    'API-abcdefgh27',
    'api_example-abcdefgh27',
    'api--example-abcdefgh27',
    '-abcdefgh27',
    'apiabcdefgh27',
    'api-abcdefgh27-',
    'api-abcdefgh27.json',
    'api-abcdefgh27.rsc',
    'api/abcdefgh27',
    '../abcdefgh27',
    '%61-abcdefgh27',
    'api-abcdefgh27\n',
    `${'a'.repeat(81)}-abcdefgh27`,
  ])('returns null for %j', (slug) => {
    expect(parseEndpointId(slug)).toBeNull();
  });

  it('returns the id after any words', () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, fc.stringMatching(/^[a-z2-7]{10}$/), (host, id) => {
        expect(parseEndpointId(`${host.join('-')}-${id}`)).toBe(id);
      }),
    );
  });
});
