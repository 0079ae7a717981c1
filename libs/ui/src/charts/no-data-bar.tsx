import type { Column } from './day-layout.ts';

/** Dash pattern of the outline of days without data. */
export const NO_DATA_DASHES = '2 2';

/** Dashed outline for a day without data. */
export function NoDataBar({
  day,
  column: { x, width },
  height,
}: {
  readonly day: string;
  readonly column: Column;
  readonly height: number;
}) {
  return (
    <rect
      x={x}
      y="0.5"
      width={width}
      height={height - 1}
      className="fill-transparent stroke-stone-soft/60"
      strokeWidth="1"
      strokeDasharray={NO_DATA_DASHES}
      vectorEffect="non-scaling-stroke"
    >
      <title>{`${day}: no data`}</title>
    </rect>
  );
}
