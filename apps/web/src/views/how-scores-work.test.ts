import { GRADE_THRESHOLDS, WEIGHTS } from '@touchstone/trust';
import { GRADE_FLOORS } from '@touchstone/ui';
import { describe, expect, it } from 'vitest';
import { COMPONENTS } from './how-scores-work.tsx';

describe('the score in brief', () => {
  it('states the weights and grades that the formula has', () => {
    expect(Object.fromEntries(COMPONENTS.map(([name, weight]) => [name.toLowerCase(), weight]))).toEqual(
      WEIGHTS,
    );
    expect(GRADE_FLOORS).toEqual(Object.fromEntries(GRADE_THRESHOLDS));
  });
});
