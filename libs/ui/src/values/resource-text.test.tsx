import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ResourceText } from './resource-text.tsx';

describe('ResourceText', () => {
  it('allows line breaks after separators, but not between consecutive ones', () => {
    const html = renderToStaticMarkup(<ResourceText resource="https://a.example/b?c=d" />);
    expect(html).toContain('https://<wbr/>a.example/<wbr/>b?<wbr/>c=<wbr/>d');
  });

  it('shows exactly the characters of the resource', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w/?=.:{}%-]{0,60}$/), (resource) => {
        const html = renderToStaticMarkup(<ResourceText resource={resource} />);
        expect(html.replace(/<[^>]*>/g, '').replaceAll('&amp;', '&')).toBe(resource);
      }),
    );
  });
});
