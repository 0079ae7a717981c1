import { COMPONENTS, GRADE_THRESHOLDS } from '@touchstone/trust';
import { GRADE_FLOORS } from '@touchstone/ui';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { ComponentWeights } from './component-weights.tsx';

const text = extractText(renderToStaticMarkup(createElement(ComponentWeights)));

describe('ComponentWeights', () => {
  it.each(COMPONENTS)(
    'has the weight and the description of $component',
    ({ component, weight, measures }) => {
      expect(text.toLowerCase()).toContain(`${component} ${String(weight)} of 100 points`);
      expect(text).toContain(measures);
    },
  );

  it('notes which component depends on the configuration', () => {
    expect(text).toContain('read from the chain on networks');
  });
});

describe('GRADE_FLOORS', () => {
  it('are the grade thresholds of the formula', () => {
    expect(GRADE_FLOORS).toEqual(Object.fromEntries(GRADE_THRESHOLDS));
  });
});
