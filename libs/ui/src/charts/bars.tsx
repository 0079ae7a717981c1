import { formatCount, formatPercent, toShares } from '@touchstone/common';
import { GRADES, type Grade } from '@touchstone/contract';
import type { ReactNode } from 'react';
import { Age, Timestamp } from '../values/values.tsx';
import { GradeMark } from '../verdict/verdict.tsx';

const METAL_CLASSES: Readonly<Record<Grade, string>> = {
  A: 'stroke-gold',
  B: 'stroke-silver',
  C: 'stroke-copper',
  D: 'stroke-iron',
  F: 'stroke-rust',
  '?': 'stroke-stone-soft',
};

const SCRATCH_COUNT = 14;

/**
 * Returns an SVG path of horizontal lines with uneven ends, in a drawing 100 wide and 10 high. The lines look like a
 * streak of metal on a touchstone. The result is deterministic, so that repeated renderings are equal.
 *
 * @param length Length of the longest line, 0 to 100.
 * @param grain Index of the first line to draw. After this line, every third line is drawn.
 */
export function drawScratches(length: number, grain: 0 | 1 | 2): string {
  const reach = Math.min(100, Math.max(0, length));
  return Array.from({ length: SCRATCH_COUNT }, (_, index) => index)
    .filter((index) => index % 3 === grain)
    .map((index) => {
      const height = 0.4 + (9.2 * index) / (SCRATCH_COUNT - 1);
      const start = getRoughness(index) * Math.min(1, reach / 10);
      const end = reach - getRoughness(index + SCRATCH_COUNT) * Math.min(5, reach / 6);
      return `M${round(start)} ${round(height)}H${round(end)}`;
    })
    .join('');
}

/** Returns a fixed pseudo-random number from 0 to 1 for each index. */
function getRoughness(index: number): number {
  const wave = Math.sin((index + 1) * 127.1) * 43758.5453;
  return wave - Math.floor(wave);
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

/**
 * Bar of scratches. Screen readers skip the bar, because the page also shows its value as text.
 *
 * @param props.length 0 to 100.
 * @param props.className Classes with the stroke color and the size.
 */
export function StreakBar({ length, className }: { readonly length: number; readonly className: string }) {
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" className={className} aria-hidden="true">
      <path d={drawScratches(length, 0)} strokeWidth="1.1" />
      <path d={drawScratches(length, 1)} strokeWidth=".9" opacity=".8" />
      <path d={drawScratches(length, 2)} strokeWidth=".8" opacity=".55" />
    </svg>
  );
}

/** Item in a list of bars. */
interface BarItem {
  readonly label: ReactNode;
  /** Number of at least 0. */
  readonly value: number;
  /** Short remark beside the label. */
  readonly note?: ReactNode;
  /** Class of the stroke color of the bar. */
  readonly className?: string;
}

/**
 * List of values with bars. The longest bar has the full width.
 *
 * @param props.format Formats a value, with the index of its item.
 */
export function BarList({
  items,
  format,
}: {
  readonly items: readonly BarItem[];
  readonly format: (value: number, index: number) => string;
}) {
  const most = Math.max(0, ...items.map(({ value }) => value));
  return (
    <ul className="rounded-sm border border-stone-line bg-stone px-4 py-2 text-stone-ink sm:px-5">
      {items.map(({ label, value, note, className = 'stroke-silver' }, index) => (
        <li key={index} className="border-stone-line py-2.5 not-first:border-t">
          <div className="flex justify-between gap-x-4">
            <p className="min-w-0 [overflow-wrap:anywhere]">
              <span className="mr-3">{label}</span>
              {note === undefined ? null : (
                <span className="text-sm text-stone-soft max-sm:block">{note}</span>
              )}
            </p>
            <p className="text-right whitespace-nowrap tabular-nums">{format(value, index)}</p>
          </div>
          <StreakBar
            length={most === 0 ? 0 : (100 * value) / most}
            className={`mt-1.5 h-2.5 w-full ${className}`}
          />
        </li>
      ))}
    </ul>
  );
}

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
  const shares = toShares(GRADES.map((grade) => counts[grade]));
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
        {GRADES.map((grade, index) => (
          <tr key={grade}>
            <th scope="row" className="w-10 pr-3 font-normal">
              <GradeMark grade={grade} className="h-9 w-8" />
            </th>
            <td className="w-full">
              <StreakBar
                length={(100 * counts[grade]) / most}
                className={`${METAL_CLASSES[grade]} h-5 w-full`}
              />
              <span className="sr-only">{formatPercent(shares[index] ?? 0)}</span>
            </td>
            <td className="pl-4 text-right text-lg tabular-nums">
              <Count count={counts[grade]} href={toHref?.(grade)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
