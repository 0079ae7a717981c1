import { formatCount, formatPercent } from './format-number.ts';
import { GradeMark } from './grade-mark.tsx';
import { Streak } from './streak.tsx';
import { GRADES, type Grade } from './verdict.ts';

/** How many endpoints hold each grade, as a table whose bars are streaks on the stone. */
export function GradeDistribution({ counts }: { readonly counts: Readonly<Record<Grade, number>> }) {
  const total = GRADES.reduce((sum, grade) => sum + counts[grade], 0);
  const most = Math.max(1, ...GRADES.map((grade) => counts[grade]));
  return (
    <table className="w-full border-separate border-spacing-y-1 text-stone-ink">
      <caption className="pb-2 text-left text-sm text-stone-soft">
        Grades of {formatCount(total)} endpoints, now
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
              <Streak length={(100 * counts[grade]) / most} grade={grade} className="h-5 w-full" />
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
