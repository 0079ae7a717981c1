import { COMPONENTS, GRADE_THRESHOLDS } from '@touchstone/trust';
import { GRADE_FLOORS } from '@touchstone/ui';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { HowScoresWork } from './how-scores-work.tsx';

const html = renderToStaticMarkup(createElement(HowScoresWork));
const text = extractText(html);

describe('HowScoresWork', () => {
  it.each(COMPONENTS)(
    'has the weight and the description of $component',
    ({ component, weight, measures }) => {
      expect(text.toLowerCase()).toContain(`${component} ${String(weight)} of 100 points`);
      expect(text).toContain(measures);
    },
  );

  it('has the grades of the formula', () => {
    for (const [grade, floor] of GRADE_THRESHOLDS) {
      if (floor > 0) expect(text).toContain(`${grade} from ${String(floor)}`);
    }
    expect(GRADE_FLOORS).toEqual(Object.fromEntries(GRADE_THRESHOLDS));
  });

  it('links to the methodology', () => {
    expect(html).toContain('<a href="/methodology">');
  });

  it('notes which component depends on the configuration', () => {
    expect(text).toContain('read from the chain on networks');
  });
});
