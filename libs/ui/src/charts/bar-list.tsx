import type { ReactNode } from 'react';
import { drawScratches } from './streak-bar.tsx';

/** Entry of a list of bars. */
export interface BarItem {
  readonly label: ReactNode;
  /** Number from 0. */
  readonly value: number;
  /** Short remark beside the label. */
  readonly note?: ReactNode;
  /** Class of the stroke color of the bar. */
  readonly className?: string;
}

/**
 * List of values with bars. The longest bar has the full width.
 *
 * @param props.format Formats a value.
 */
export function BarList({
  items,
  format,
}: {
  readonly items: readonly BarItem[];
  readonly format: (value: number) => string;
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
            <p className="text-right whitespace-nowrap tabular-nums">{format(value)}</p>
          </div>
          <Bar length={most === 0 ? 0 : (100 * value) / most} className={className} />
        </li>
      ))}
    </ul>
  );
}

/**
 * Bar of scratches. Screen readers skip it, because the list also shows the value as text.
 *
 * @param props.length 0 to 100.
 */
function Bar({ length, className }: { readonly length: number; readonly className: string }) {
  return (
    <svg
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      className={`mt-1.5 h-2.5 w-full ${className}`}
      aria-hidden="true"
    >
      <path d={drawScratches(length, 0)} strokeWidth="1.1" />
      <path d={drawScratches(length, 1)} strokeWidth=".9" opacity=".8" />
      <path d={drawScratches(length, 2)} strokeWidth=".8" opacity=".55" />
    </svg>
  );
}
