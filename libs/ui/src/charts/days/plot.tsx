import type { ReactNode } from 'react';
import { PLOT_WIDTH } from './day-layout.ts';

/** Heights of a plot in pixels at the default font size, with their classes. */
const HEIGHT_CLASSES = { 48: 'h-12', 64: 'h-16', 192: 'h-48' } as const;

/** Height of a plot in pixels at the default font size. */
export type PlotHeight = keyof typeof HEIGHT_CLASSES;

/**
 * Drawing of a chart. It is stretched to the width of its parent, so text and round shapes belong outside of it.
 *
 * @param props.label Summary of the chart as its accessible name.
 */
export function Plot({
  height,
  label,
  children,
}: {
  readonly height: PlotHeight;
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <svg
      viewBox={`0 0 ${PLOT_WIDTH} ${height}`}
      preserveAspectRatio="none"
      className={`block w-full overflow-visible ${HEIGHT_CLASSES[height]}`}
      role="img"
      aria-label={label}
    >
      {children}
    </svg>
  );
}

/** First and last day below a plot. */
export function DayAxis({ days }: { readonly days: readonly { readonly day: string }[] }) {
  const [first] = days;
  const last = days.at(-1);
  return (
    <p className="mt-1.5 flex justify-between gap-4 text-xs text-stone-soft tabular-nums" aria-hidden="true">
      {first === undefined ? null : <span>{first.day}</span>}
      {last === undefined || last === first ? null : <span>{last.day}</span>}
    </p>
  );
}
