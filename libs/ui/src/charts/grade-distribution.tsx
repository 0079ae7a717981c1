import { GRADES, type Grade } from '@touchstone/contract';
import { Age } from '../values/age.tsx';
import { formatCount, formatPercent } from '../format/format-number.ts';
import { GradeMark } from '../verdict/grade-mark.tsx';
import { StreakBar } from './streak-bar.tsx';
import { Timestamp } from '../values/timestamp.tsx';

/**
 * Number of endpoints by grade, as a table with bars.
 *
 * @param props.probedUpTo Time of the last probe that the grades include, ISO 8601; null if there was no probe.
 */
export function GradeDistribution({
  counts,
  probedUpTo,
}: {
  readonly counts: Readonly<Record<Grade, number>>;
  readonly probedUpTo: string | null;
}) {
  const total = GRADES.reduce((sum, grade) => sum + counts[grade], 0);
  const most = Math.max(1, ...GRADES.map((grade) => counts[grade]));
  return (
    <table className="w-full border-separate border-spacing-y-1 text-stone-ink">
      <caption className="pb-2 text-left text-sm text-stone-soft">
        Grades of {formatCount(total)} endpoints
        {probedUpTo === null ? null : (
          <>
            , last probe <Timestamp iso={probedUpTo} />
            {' · '}
            <Age iso={probedUpTo} />
          </>
        )}
      </caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Grade</th>
          <th scope="col">Share</th>
          <th scope="col">Endpoints</th>
        </tr>
      </thead>
      <tbody>
        {GRADES.map((grade) => (
          <tr key={grade}>
            <th scope="row" className="w-10 pr-3 font-normal">
              <GradeMark grade={grade} className="h-9 w-8" />
            </th>
            <td className="w-full">
              <StreakBar length={(100 * counts[grade]) / most} grade={grade} className="h-5 w-full" />
              <span className="sr-only">
                {formatPercent(total === 0 ? 0 : (100 * counts[grade]) / total)}
              </span>
            </td>
            <td className="pl-4 text-right text-lg tabular-nums">{formatCount(counts[grade])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
