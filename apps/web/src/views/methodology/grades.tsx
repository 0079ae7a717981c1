import { GRADE_THRESHOLDS } from '@touchstone/trust';
import { GradeMark } from '@touchstone/ui';

/** Score range of each grade. */
export function Grades() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        The grade is the score, rounded to one decimal, as a letter. Endpoints with the recommendation “free”
        or “unverified”, and endpoints without a scored probe, have no grade and show a question mark. Their
        score is still shown; it is 0 if nothing was measured.
      </p>
      <ul className="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-3 xl:grid-cols-6">
        {GRADE_THRESHOLDS.map(([grade, floor], index) => (
          <li key={grade} className="flex items-center gap-3">
            <GradeMark grade={grade} className="h-14 w-12 shrink-0" />
            <span className="tabular-nums">{formatScoreRange(floor, GRADE_THRESHOLDS[index - 1]?.[1])}</span>
          </li>
        ))}
        <li className="flex items-center gap-3">
          <GradeMark grade="?" className="h-14 w-12 shrink-0" />
          <span>no grade</span>
        </li>
      </ul>
    </>
  );
}

/**
 * Formats the score range of a grade.
 *
 * @param floor Minimum score of the grade.
 * @param next Minimum score of the next better grade; undefined for the best grade.
 */
function formatScoreRange(floor: number, next: number | undefined): string {
  if (next === undefined) return `${floor} or more`;
  return floor === 0 ? `below ${next}` : `from ${floor}`;
}
