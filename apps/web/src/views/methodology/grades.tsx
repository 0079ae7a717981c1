import { GRADE_THRESHOLDS } from '@touchstone/trust';
import { GradeMark } from '@touchstone/ui';

/** Which scores have which grade. */
export function Grades() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        A grade is the score, rounded to one decimal, in a letter. Endpoints whose recommendation is free or
        unverified, and those that no probe has measured, are ungraded and carry a question mark; their score
        is shown all the same, and is 0 where nothing was measured.
      </p>
      <ul className="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-3 xl:grid-cols-6">
        {GRADE_THRESHOLDS.map(([grade, floor], index) => (
          <li key={grade} className="flex items-center gap-3">
            <GradeMark grade={grade} className="h-14 w-12 shrink-0" />
            <span className="tabular-nums">{scoresOf(floor, GRADE_THRESHOLDS[index - 1]?.[1])}</span>
          </li>
        ))}
        <li className="flex items-center gap-3">
          <GradeMark grade="?" className="h-14 w-12 shrink-0" />
          <span>not graded</span>
        </li>
      </ul>
    </>
  );
}

/** @param next The floor of the next better grade. */
function scoresOf(floor: number, next: number | undefined): string {
  if (next === undefined) return `${floor} or more`;
  return floor === 0 ? `below ${next}` : `from ${floor}`;
}
