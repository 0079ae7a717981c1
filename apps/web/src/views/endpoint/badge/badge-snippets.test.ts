import { describe, expect, it } from 'vitest';
import { createBadgeHtml, createBadgeMarkdown } from './badge-snippets.ts';

const options = {
  endpointId: 'abcdefgh27',
  slug: 'api-example-com-weather-abcdefgh27',
  baseUrl: 'https://touchstone.example',
};

describe('createBadgeMarkdown and createBadgeHtml', () => {
  it('show the badge with a link to the page of the endpoint', () => {
    expect(createBadgeMarkdown(options)).toBe(
      '[![Touchstone trust grade](https://touchstone.example/badge/abcdefgh27.svg)](https://touchstone.example/endpoint/api-example-com-weather-abcdefgh27)',
    );
    expect(createBadgeHtml(options)).toBe(
      '<a href="https://touchstone.example/endpoint/api-example-com-weather-abcdefgh27"><img src="https://touchstone.example/badge/abcdefgh27.svg" alt="Touchstone trust grade" height="20"></a>',
    );
  });
});
