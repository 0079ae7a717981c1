import type { Grade } from '@touchstone/contract';
import { StreakBar } from './streak-bar.tsx';
import { GRADE_MIN_SCORES } from '../verdict/verdict.ts';

/**
 * Minimum score of each grade and its position on the scale. The positions are CSS classes, because the Content
 * Security Policy forbids inline styles.
 */
const GRADE_MARKS = [
  ['F', GRADE_MIN_SCORES.F, 'left-0'],
  ['D', GRADE_MIN_SCORES.D, 'left-[35%]'],
  ['C', GRADE_MIN_SCORES.C, 'left-[50%]'],
  ['B', GRADE_MIN_SCORES.B, 'left-[65%]'],
  ['A', GRADE_MIN_SCORES.A, 'left-[80%]'],
] as const;

/**
 * Score as a bar above the scale of grades. Screen readers skip the drawing, because the page also shows the score as
 * text.
 *
 * @param props.score 0 to 100.
 */
export function ScoreScale({ score, grade }: { readonly score: number; readonly grade: Grade }) {
  return (
    <div aria-hidden="true">
      <div className="relative h-14 rounded-sm border border-stone-line bg-stone p-3">
        <StreakBar length={score} grade={grade} className="h-full w-full" />
      </div>
      <div className="relative mx-3 h-7 text-sm text-ink-soft">
        {GRADE_MARKS.map(([letter, floor, position]) => (
          <span key={letter} className={`absolute top-0 border-l border-edge pt-0.5 pl-1.5 ${position}`}>
            {letter}
            <span className="max-sm:hidden"> {floor}</span>
          </span>
        ))}
      </div>
    </div>
  );
}
