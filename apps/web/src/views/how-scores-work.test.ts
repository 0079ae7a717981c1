import { COMPONENTS, GRADE_THRESHOLDS } from '@touchstone/trust';
import { GRADE_FLOORS } from '@touchstone/ui';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { textOf } from '../test-text.ts';
import { HowScoresWork } from './how-scores-work.tsx';

const html = renderToStaticMarkup(createElement(HowScoresWork));
const text = textOf(html);

describe('the score in brief', () => {
  it.each(COMPONENTS)('states what $component weighs and measures', ({ component, weight, measures }) => {
    expect(text.toLowerCase()).toContain(`${component} ${String(weight)} of 100 points`);
    expect(text).toContain(measures);
  });

  it('states the grades that the formula has', () => {
    for (const [grade, floor] of GRADE_THRESHOLDS) {
      if (floor > 0) expect(text).toContain(`${grade} from ${String(floor)}`);
    }
    expect(GRADE_FLOORS).toEqual(Object.fromEntries(GRADE_THRESHOLDS));
  });

  it('leads to the whole formula', () => {
    expect(html).toContain('<a href="/methodology">');
  });

  it('says which component no endpoint has yet', () => {
    expect(text).toContain('read from the chain on networks');
  });
});
