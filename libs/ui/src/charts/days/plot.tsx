import type { ReactNode } from 'react';
import { type Column, PLOT_WIDTH, type Segment, type Tick } from './day-layout.ts';

/** CSS classes of the plot heights. The heights are pixels at the default font size. */
const HEIGHT_CLASSES = { 48: 'h-12', 96: 'h-24', 192: 'h-48' } as const;

/** Height of a plot in pixels at the default font size. */
export type PlotHeight = keyof typeof HEIGHT_CLASSES;

/** Mean width of a character of a tick label, in pixels, rounded up. */
const TICK_CHARACTER_WIDTH = 8;

/**
 * Drawing of a chart. It is stretched to the width of its parent, so text and round shapes belong outside of the
 * drawing. The script `charts.js` adds the marker of the chosen day, and makes the parent a control for this choice.
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
    <div
      data-chart-plot
      className="relative cursor-crosshair touch-pan-y has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-offset-3 has-[:focus-visible]:outline-gold"
    >
      <svg
        viewBox={`0 0 ${PLOT_WIDTH} ${height}`}
        preserveAspectRatio="none"
        className={`block w-full overflow-visible ${HEIGHT_CLASSES[height]}`}
        role="img"
        aria-label={label}
      >
        {children}
      </svg>
    </div>
  );
}

/** First and last day below a plot, with the name of the axis between them. */
export function DayAxis({ days }: { readonly days: readonly { readonly day: string }[] }) {
  const [first] = days;
  const last = days.at(-1);
  return (
    <p className="mt-1.5 flex justify-between gap-2 text-xs text-stone-soft tabular-nums" aria-hidden="true">
      {first === undefined ? null : <span>{first.day}</span>}
      <span>Day (UTC)</span>
      {last === undefined || last === first ? null : <span>{last.day}</span>}
    </p>
  );
}

/** Labels of the y axis, in a column that is wide enough for the longest label. */
export function TickLabels({
  ticks,
  height,
  format,
}: {
  readonly ticks: readonly Tick[];
  readonly height: PlotHeight;
  readonly format: (value: number) => string;
}) {
  // Browsers give a drawing without a width of its own 300 pixels.
  if (ticks.length === 0) return null;
  const labels = ticks.map(({ value, y }) => ({ text: format(value), y }));
  const width = TICK_CHARACTER_WIDTH * Math.max(...labels.map(({ text }) => text.length));
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className={`w-auto shrink-0 overflow-visible fill-stone-soft tabular-nums ${HEIGHT_CLASSES[height]}`}
      aria-hidden="true"
    >
      {labels.map(({ text, y }) => (
        <text key={y} x={width} y={y + 4} fontSize="12" textAnchor="end">
          {text}
        </text>
      ))}
    </svg>
  );
}

/** Horizontal lines at the ticks of the y axis. */
export function TickLines({ ticks }: { readonly ticks: readonly Tick[] }) {
  return (
    <path
      d={ticks.map(({ y }) => `M0 ${y}H${PLOT_WIDTH}`).join('')}
      className="stroke-stone-line"
      strokeWidth="1"
      vectorEffect="non-scaling-stroke"
    />
  );
}

/** Returns the SVG path of a rectangle. */
export function drawBox({ x, width }: Column, { y, height }: Segment): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}

/** Dash pattern of the outline of days without data. */
export const NO_DATA_DASHES = '2 2';

/**
 * Dashed outline of days without data.
 *
 * @param props.path Rectangles of the days, as the `d` attribute of an SVG path.
 */
export function NoDataOutline({ path }: { readonly path: string }) {
  return (
    <path
      d={path}
      className="fill-transparent stroke-stone-soft/60"
      strokeWidth="1"
      strokeDasharray={NO_DATA_DASHES}
      vectorEffect="non-scaling-stroke"
    />
  );
}

/**
 * Data of a chart as an expandable table.
 *
 * @param props.title Title of the chart, which distinguishes the tables of a page for screen readers.
 * @param props.columns Column headings. The first column contains row headings, the other columns contain figures.
 */
export function ChartTable({
  title,
  columns,
  rows,
}: {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit cursor-pointer py-1 text-ink-soft hover:text-accent">
        Show as table<span className="sr-only">: {title}</span>
      </summary>
      <div tabIndex={0} role="group" aria-label={`Table: ${title}`} className="overflow-x-auto">
        {/* The classes of the cells are on the table, because a page can have hundreds of cells. */}
        <table className="mt-1 w-full tabular-nums max-sm:text-xs [&_td]:border-b [&_td]:border-line [&_td]:py-1 [&_td]:pl-2 sm:[&_td]:pl-4 [&_td]:text-right [&_th]:border-b [&_th]:py-1 [&_th]:font-normal">
          <thead className="align-bottom text-ink-soft [&_th]:border-edge">
            <tr>
              {columns.map((column, index) => (
                <th
                  key={column}
                  scope="col"
                  className={index === 0 ? 'text-left' : 'pl-2 sm:pl-4 text-right'}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="[&_th]:border-line [&_th]:text-left [&_th]:whitespace-nowrap">
            {rows.map(([heading = '', ...cells]) => (
              <tr key={heading}>
                <th scope="row">{heading}</th>
                {cells.map((cell, index) => (
                  <td key={columns[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
