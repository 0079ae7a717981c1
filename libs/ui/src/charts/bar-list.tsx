import type { ReactNode } from 'react';
import { drawScratches } from './streak-bar.tsx';

/** Entry of a list of bars. */
export interface BarItem {
  readonly label: ReactNode;
  /** Number from 0. */
  readonly value: number;
  readonly note?: ReactNode;
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
    <dl className="rounded-sm border border-stone-line bg-stone px-4 py-2 text-stone-ink sm:px-5">
      {items.map(({ label, value, note }, index) => (
        <div
          key={index}
          className="grid grid-cols-[1fr_auto] gap-x-4 border-stone-line py-2.5 not-first:border-t"
        >
          <dt className="min-w-0 [overflow-wrap:anywhere]">{label}</dt>
          <dd className="text-right tabular-nums">{format(value)}</dd>
          <dd className="col-span-2">
            <Bar length={most === 0 ? 0 : (100 * value) / most} />
          </dd>
          {note === undefined ? null : <dd className="col-span-2 mt-1 text-sm text-stone-soft">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/**
 * Bar of scratches. Screen readers skip it, because the list also shows the value as text.
 *
 * @param props.length 0 to 100.
 */
function Bar({ length }: { readonly length: number }) {
  return (
    <svg
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      className="mt-1 h-2.5 w-full stroke-silver"
      aria-hidden="true"
    >
      <path d={drawScratches(length, 0)} strokeWidth="1.1" />
      <path d={drawScratches(length, 1)} strokeWidth=".9" opacity=".8" />
      <path d={drawScratches(length, 2)} strokeWidth=".8" opacity=".55" />
    </svg>
  );
}
