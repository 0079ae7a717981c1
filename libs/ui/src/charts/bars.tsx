import { formatCount, formatShare } from '@touchstone/common';
import { GRADES, type Grade } from '@touchstone/contract';
import { Age, Timestamp } from '../values/values.tsx';
import { GradeMark } from '../verdict/verdict.tsx';

/** Class of the fill color of each grade. */
export const GRADE_FILLS: Readonly<Record<Grade, string>> = {
  A: 'fill-gold',
  B: 'fill-silver',
  C: 'fill-copper',
  D: 'fill-iron',
  F: 'fill-rust',
  '?': 'fill-slate',
};

/**
 * Weight of a component as a bar. Screen readers skip the bar, because the page also shows the weight as text.
 *
 * @param props.weight 0 to 100.
 */
export function WeightBar({
  weight,
  className = '',
}: {
  readonly weight: number;
  readonly className?: string;
}) {
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={className} aria-hidden="true">
      <rect width="100" height="4" className="fill-line" />
      <rect width={Math.min(100, Math.max(0, weight))} height="4" className="fill-accent" />
    </svg>
  );
}

/**
 * Number of endpoints by grade, as a table with bars.
 *
 * @param props.probedUpTo Time of the latest probe on which the grades are based, ISO 8601; null if there was no probe.
 * @param props.toHref Returns the URL of the list of endpoints with a grade.
 */
export function GradeDistribution({
  noun,
  counts,
  probedUpTo,
  toHref,
}: {
  readonly noun: 'endpoint' | 'listed endpoint';
  readonly counts: Readonly<Record<Grade, number>>;
  readonly probedUpTo: string | null;
  readonly toHref?: (grade: Grade) => string;
}) {
  const total = GRADES.reduce((sum, grade) => sum + counts[grade], 0);
  const most = Math.max(1, ...GRADES.map((grade) => counts[grade]));
  return (
    <table className="w-full border-separate border-spacing-y-1 text-stone-ink">
      <caption className="pb-2 text-left text-sm text-stone-soft">
        Grades of {formatCount(total, noun)}
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
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="h-5 w-full" aria-hidden="true">
                <rect width={(100 * counts[grade]) / most} height="4" className={GRADE_FILLS[grade]} />
              </svg>
              <span className="sr-only">{formatShare(counts[grade] / Math.max(1, total))}</span>
            </td>
            <td className="pl-4 text-right text-lg tabular-nums">
              <Count count={counts[grade]} href={toHref?.(grade)} />
            </td>
          </tr>
        ))}
      </tbody>
      {counts['?'] === 0 ? null : <UngradedNote />}
    </table>
  );
}

function UngradedNote() {
  return (
    <tfoot>
      <tr>
        <td colSpan={3} className="text-sm text-stone-soft">
          ? has no grade: unverified, free, or a template without a probe.
        </td>
      </tr>
    </tfoot>
  );
}

/** Number of endpoints, as a link to their list. A list without an endpoint is not linked. */
function Count({ count, href }: { readonly count: number; readonly href: string | undefined }) {
  if (href === undefined || count === 0) return formatCount(count);
  return (
    <a href={href} className="inline-block px-1">
      {formatCount(count)}
    </a>
  );
}
