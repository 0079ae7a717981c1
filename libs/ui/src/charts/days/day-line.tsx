import { DayChart } from './day-chart.tsx';
import { type DayValue, type LineOptions, type LinePoint, layOutLines } from './day-layout.ts';
import { TickLines } from './plot.tsx';

const HEIGHT = 96;

/** Line of one value per UTC day. */
export interface Line {
  /** Name in the legend and in the table. */
  readonly label: string;
  /** Consecutive UTC days, oldest first. Values are at least 0. All lines of a chart have the same days. */
  readonly days: readonly DayValue[];
}

/** Color and dash pattern of each line. The pattern distinguishes the lines without color. */
const STROKES = [
  { className: 'stroke-gold', dashes: undefined },
  { className: 'stroke-silver', dashes: '5 3' },
] as const;

/**
 * Line chart of one or two values per UTC day. The scale begins at 0. Days without a value interrupt the line.
 *
 * @param props.title Title of the chart.
 * @param props.yLabel Name of the y axis, with its unit.
 * @param props.lines At most two lines.
 * @param props.format Formats a value.
 * @param props.formatTick Formats a value of the y axis, if it differs from `format`.
 * @param props.shape Use `step` for values that change abruptly, such as prices.
 * @param props.maximum Upper end of the scale, such as 1 for shares. Without it, the scale ends above the highest value.
 */
export function DayLine({
  title,
  yLabel,
  lines,
  format,
  formatTick = format,
  shape,
  maximum,
  className = '',
}: {
  readonly title: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  readonly formatTick?: (value: number) => string;
  readonly className?: string;
} & LineOptions) {
  const layout = layOutLines(
    lines.map(({ days }) => days),
    HEIGHT,
    { shape, maximum },
  );
  const days = lines[0]?.days ?? [];
  return (
    <DayChart
      title={title}
      yLabel={yLabel}
      height={HEIGHT}
      ticks={layout.ticks}
      formatTick={formatTick}
      summary={lines
        .map(({ label }, index) => summarize(label, layout.lines[index]?.points ?? [], format))
        .join(' ')}
      series={lines.map(({ label }, index) => ({ label, swatch: <Swatch index={index} /> }))}
      days={days.map(({ day }, place) => {
        const values = lines.map((line) => line.days[place]?.value ?? null);
        const isMissing = values.every((value) => value === null);
        return {
          day,
          texts: isMissing ? null : values.map((value) => (value === null ? 'no data' : format(value))),
        };
      })}
      className={className}
    >
      <TickLines ticks={layout.ticks} />
      {layout.lines.map((line, index) => (
        <LinePath key={lines[index]?.label} line={line} index={index} />
      ))}
    </DayChart>
  );
}

function LinePath({
  line: { path, points, isolated },
  index,
}: {
  readonly line: ReturnType<typeof layOutLines>['lines'][number];
  readonly index: number;
}) {
  const stroke = STROKES[index] ?? STROKES[0];
  return (
    <>
      <path
        d={path}
        className={`fill-transparent ${stroke.className}`}
        strokeWidth="2"
        strokeDasharray={stroke.dashes}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={[...isolated, ...points.slice(-1)].map(({ x, y }) => `M${x} ${y}h0`).join('')}
        className={stroke.className}
        strokeWidth="7"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </>
  );
}

function Swatch({ index }: { readonly index: number }) {
  const stroke = STROKES[index] ?? STROKES[0];
  return (
    <svg viewBox="0 0 16 12" className="h-3 w-4 shrink-0" aria-hidden="true">
      <path d="M0 6h16" className={stroke.className} strokeWidth="2" strokeDasharray={stroke.dashes} />
    </svg>
  );
}

/** Returns the latest, lowest and highest value with their days, as a sentence. */
function summarize(label: string, points: readonly LinePoint[], format: (value: number) => string): string {
  const latest = points.at(-1);
  if (latest === undefined) return `${label}: no data.`;
  const low = points.reduce((one, other) => (other.value < one.value ? other : one), latest);
  const high = points.reduce((one, other) => (other.value > one.value ? other : one), latest);
  return `${label}: latest ${format(latest.value)} on ${latest.day}, lowest ${format(low.value)} on ${low.day}, highest ${format(high.value)} on ${high.day}.`;
}
