import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Stat } from './stat.tsx';
import { Timestamp } from './timestamp.tsx';

describe('Stat', () => {
  it('shows label, value and note', () => {
    const html = renderToStaticMarkup(<Stat label="Uptime" value="99.9%" note="last 30 days" />);
    expect(html).toMatch(/<dt[^>]*>Uptime<\/dt><dd[^>]*>99.9%<\/dd><dd[^>]*>last 30 days<\/dd>/);
  });

  it('shows the missing text without the note for null', () => {
    const html = renderToStaticMarkup(
      <Stat label="Uptime" value={null} note="of probes" missing="not probed" />,
    );
    expect(html).toContain('>not probed<');
    expect(html).not.toContain('of probes');
  });
});

describe('Timestamp', () => {
  it('renders the time in UTC to the minute', () => {
    const iso = '2026-03-04T12:34:56.000Z';
    const html = renderToStaticMarkup(<Timestamp iso={iso} />);
    expect(html).toContain(`dateTime="${iso}"`);
    expect(html.replace(/<[^>]*>/g, '')).toBe('2026-03-04 12:34 UTC');
  });
});
