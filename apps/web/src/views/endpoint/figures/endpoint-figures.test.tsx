import type { Snapshot } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../../testing/html-text.ts';
import { createTestSnapshot } from '../../../testing/test-snapshot.ts';
import { EndpointFigures } from './endpoint-figures.tsx';

const renderText = (overrides: Partial<Snapshot>) =>
  extractText(
    renderToStaticMarkup(<EndpointFigures snapshot={createTestSnapshot(overrides)} vantage="EU" />),
  );

describe('EndpointFigures', () => {
  it('explains flags', () => {
    const text = renderText({ errorFlags: 1, warningFlags: 2 });
    expect(text).toContain('Error flags 1 any error flag means avoid');
    expect(text).toContain('Warnings 2 risks to check before you pay');
  });

  it('mentions no risk without flags', () => {
    const text = renderText({ errorFlags: 0, warningFlags: 0 });
    expect(text).toContain('Error flags 0 Warnings 0 ');
    expect(text).not.toMatch(/means avoid|risks to check/);
  });

  it('shows no uptime of 100% if a probe failed', () => {
    expect(renderText({ uptime30d: 99.97 })).toContain('Uptime, last 30 days 99.9%');
  });
});
