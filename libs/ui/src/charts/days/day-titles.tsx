import { layOutCells } from './day-layout.ts';

/**
 * Invisible areas with the figures of each day, which browsers show as tooltips.
 *
 * @param props.height Height of the plot, in pixels.
 * @param props.format Formats the figures of a day.
 */
export function DayTitles<T extends { readonly day: string }>({
  days,
  height,
  format,
}: {
  readonly days: readonly T[];
  readonly height: number;
  readonly format: (day: T) => string;
}) {
  const cells = layOutCells(days.length);
  return (
    <g className="fill-transparent">
      {days.map((entry, index) => (
        <rect key={entry.day} x={cells[index]?.x} width={cells[index]?.width} height={height}>
          <title>{`${entry.day}: ${format(entry)}`}</title>
        </rect>
      ))}
    </g>
  );
}
