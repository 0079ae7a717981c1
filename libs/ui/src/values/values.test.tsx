import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Age, ResourceText, Stat, Timestamp } from './values.tsx';

it.each([
  ['2026-03-04T08:15:59.000Z', '5 minutes old at 08:20 UTC'],
  // The clock of the database can show a later time than the clock of the site.
  ['2026-03-04T08:30:00.000Z', 'less than a minute old at 08:20 UTC'],
  ['soon', ''],
])('Age shows the age of %s at the time of rendering', (iso, text) => {
  const html = renderToStaticMarkup(<Age iso={iso} renderedAt={Date.parse('2026-03-04T08:20:59Z')} />);
  expect(html).toBe(`<span data-age-of="${iso}" class="">${text}</span>`);
});

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

it('Stat shows label, value and note, or the missing text without the note', () => {
  const html = renderToStaticMarkup(<Stat label="Uptime" value="99.9 %" note="last 30 days" />);
  expect(html).toMatch(/<dt[^>]*>Uptime<\/dt><dd[^>]*>99.9 %<\/dd><dd[^>]*>last 30 days<\/dd>/);
  const missing = renderToStaticMarkup(<Stat label="Uptime" value={null} note="of probes" missing="none" />);
  expect(missing).toContain('>none<');
  expect(missing).not.toContain('of probes');
});

it('Timestamp renders the time in UTC to the minute', () => {
  const html = renderToStaticMarkup(<Timestamp iso="2026-03-04T12:34:56.000Z" />);
  expect(html).toContain('dateTime="2026-03-04T12:34:56.000Z"');
  expect(html.replace(/<[^>]*>/g, '')).toBe('2026-03-04 12:34 UTC');
});
