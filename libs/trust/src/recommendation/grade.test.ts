import { expect, test } from 'vitest';
import { toGrade } from './recommendation.ts';

test.each([
  [100, 'A'],
  [80, 'A'],
  [79.9, 'B'],
  [65, 'B'],
  [64.9, 'C'],
  [50, 'C'],
  [49.9, 'D'],
  [35, 'D'],
  [34.9, 'F'],
  [0, 'F'],
])('a score of %d is graded %s', (score, grade) => {
  expect(toGrade(score)).toBe(grade);
});
