import { describe, expect, it } from 'vitest';
import { BADGE_SIZE } from '../pictures/create-badge.ts';
import { createBadgeHtml, createBadgeMarkdown } from './badge-section.tsx';

const options = {
  endpointId: 'abcdefgh27',
  host: 'api.example.com',
  slug: 'api-example-com-weather-abcdefgh27',
  baseUrl: 'https://touchstone.example',
};

describe('createBadgeMarkdown and createBadgeHtml', () => {
  it('shows the badge with a link to the page of the endpoint', () => {
    expect(createBadgeHtml(options)).toBe(
      `<a href="https://touchstone.example/endpoint/api-example-com-weather-abcdefgh27"><img src="https://touchstone.example/badge/abcdefgh27.svg" alt="Touchstone trust grade of api.example.com" width="${BADGE_SIZE.width}" height="20"></a>`,
    );
  });

  it('removes markup from an untrusted host', () => {
    const untrusted = { ...options, host: '[x](y)"><b>&amp;.example' };
    expect(createBadgeHtml(untrusted)).toContain('alt="Touchstone trust grade of xybamp.example"');
    expect(createBadgeMarkdown(untrusted)).toMatch(/^\[!\[Touchstone trust grade of xybamp\.example\]\(/);
  });
});
