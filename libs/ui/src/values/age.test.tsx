import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Age } from './age.tsx';

const RENDERED_AT = Date.parse('2026-03-04T08:20:59Z');

const render = (iso: string) => renderToStaticMarkup(<Age iso={iso} renderedAt={RENDERED_AT} />);

describe('Age', () => {
  it.each([
    ['2026-03-04T08:15:59.000Z', '5 minutes old at 08:20 UTC'],
    ['2026-03-04T08:20:30.000Z', 'less than a minute old at 08:20 UTC'],
    ['2026-03-01T08:20:59.000Z', '3 days old at 08:20 UTC'],
    // The clock of the database can be ahead.
    ['2026-03-04T08:30:00.000Z', 'less than a minute old at 08:20 UTC'],
  ])('shows the age of %s at the time of rendering', (iso, text) => {
    expect(render(iso)).toBe(`<span data-age-of="${iso}" class="">${text}</span>`);
  });

  it('has no text for an invalid time', () => {
    expect(render('soon')).toBe('<span data-age-of="soon" class=""></span>');
  });
});
