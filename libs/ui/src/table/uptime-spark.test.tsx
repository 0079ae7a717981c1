import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { UptimeSpark } from './uptime-spark.tsx';

const render = (...days: readonly (number | null)[]) => renderToStaticMarkup(<UptimeSpark days={days} />);
/** Returns the paths of the succeeded and the failed parts. */
const readPaths = (html: string) => [...html.matchAll(/ d="([^"]*)"/g)].map(([, path]) => path);

describe('UptimeSpark', () => {
  it('draws no bar for a day without a scored probe', () => {
    expect(readPaths(render(100, null, 100))).toEqual(['M5 16V0M25 16V0', '']);
  });

  it('draws the failed part from the top, also if it is small', () => {
    expect(readPaths(render(50, 99.9, 0))).toEqual(['M5 16V9M15 16V5', 'M5 0V8M15 0V4M25 0V16']);
  });

  it('has the numbers of days as its accessible name', () => {
    expect(render(100, null, 99.9)).toContain('aria-label="2 of 3 days measured, 1 without a failed probe"');
  });
});
