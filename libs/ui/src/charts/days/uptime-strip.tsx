import { formatConstantPercent, formatCount, formatPercent } from '@touchstone/common';
import type { ReactNode } from 'react';
import { DayChart } from './day-chart.tsx';
import { NO_DATA_DASHES, NoDataOutline, drawBox } from './plot.tsx';
import { layOutColumns, splitUptime } from './day-layout.ts';

const HEIGHT = 48;

/** Labels of the y axis. */
const TICKS = [0, 1].map((value) => ({ value, y: HEIGHT * (1 - value) }));

/** Uptime of an endpoint or of a host on a UTC day. */
export interface UptimeDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Percentage of the scored probes that succeeded, 0 to 100; null if no probe was scored. */
  readonly uptime: number | null;
  /** Number of scored probes. */
  readonly probes: number;
}

/** Event of an endpoint. */
interface DayMark {
  /** UTC day of the event, `YYYY-MM-DD`. */
  readonly day: string;
  /** Name of the event. */
  readonly label: string;
}

/**
 * Uptime per day with one bar for each day. The upper part of a bar shows the failed probes. A dashed outline
 * means that no probe was scored.
 *
 * @param props.days Consecutive UTC days, oldest first.
 * @param props.marks Events, shown as points at the top of their days. Events of other days are left out.
 */
export function UptimeStrip({
  days,
  marks = [],
  className = '',
}: {
  readonly days: readonly UptimeDay[];
  readonly marks?: readonly DayMark[];
  readonly className?: string;
}) {
  const bar = <rect width="12" height="12" className="fill-silver" />;
  return (
    <DayChart
      title="Daily uptime"
      yLabel="Share of scored probes that succeeded"
      height={HEIGHT}
      ticks={TICKS}
      formatTick={formatConstantPercent}
      summary={summarize(days)}
      series={[
        { label: 'Uptime', swatch: <Swatch>{bar}</Swatch> },
        { label: 'Scored probes', swatch: null },
      ]}
      days={days.map(({ day, uptime, probes }) => ({
        day,
        texts: uptime === null ? null : [formatPercent(uptime / 100), formatCount(probes)],
      }))}
      missing="none scored"
      notes={<Legend hasMarks={marks.length > 0} />}
      className={className}
    >
      <Bars days={days} />
      <Marks days={days} marks={marks} />
    </DayChart>
  );
}

/** Distance of a mark above the plot, in pixels. */
const MARK_DISTANCE = 6;

/** Points above the bars of the days with an event, with the names of the events as tooltips. */
function Marks({ days, marks }: { readonly days: readonly UptimeDay[]; readonly marks: readonly DayMark[] }) {
  const columns = layOutColumns(days.length);
  return days.map(({ day }, index) => {
    const labels = marks.filter((mark) => mark.day === day).map(({ label }) => label);
    const column = columns[index];
    if (labels.length === 0 || column === undefined) return null;
    return (
      <path
        key={day}
        d={`M${column.x + column.width / 2} ${-MARK_DISTANCE}h0`}
        className="stroke-gold"
        strokeWidth="8"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      >
        <title>{`${day}: ${labels.join(', ')}`}</title>
      </path>
    );
  });
}

/** Bars of all days. Parts of the same kind are one path, which keeps the HTML small. */
function Bars({ days }: { readonly days: readonly UptimeDay[] }) {
  const columns = layOutColumns(days.length);
  let up = '';
  let failed = '';
  let missing = '';
  for (const [index, column] of columns.entries()) {
    const uptime = days[index]?.uptime ?? null;
    const parts = uptime === null ? null : splitUptime(uptime, HEIGHT);
    if (parts === null) missing += drawBox(column, { y: 0.5, height: HEIGHT - 1 });
    if (parts?.up) up += drawBox(column, parts.up);
    if (parts?.failed) failed += drawBox(column, parts.failed);
  }
  return (
    <>
      {missing === '' ? null : <NoDataOutline path={missing} />}
      <path d={up} className="fill-silver" />
      <path d={failed} className="fill-rust" />
    </>
  );
}

/** Meaning of the other shapes of a bar. */
function Legend({ hasMarks }: { readonly hasMarks: boolean }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-stone-soft" aria-hidden="true">
      <li className="flex items-center gap-1.5">
        <Swatch>
          <rect width="12" height="12" className="fill-rust" />
        </Swatch>
        failed
      </li>
      <li className="flex items-center gap-1.5">
        <Swatch>
          <rect
            x=".5"
            y=".5"
            width="11"
            height="11"
            className="fill-transparent stroke-stone-soft"
            strokeDasharray={NO_DATA_DASHES}
          />
        </Swatch>
        none scored
      </li>
      {hasMarks ? (
        <li className="flex items-center gap-1.5">
          <Swatch>
            <circle cx="6" cy="6" r="4" className="fill-gold" />
          </Swatch>
          event
        </li>
      ) : null}
    </ul>
  );
}

function Swatch({ children }: { readonly children: ReactNode }) {
  return (
    <svg viewBox="0 0 12 12" className="size-3 shrink-0" aria-hidden="true">
      {children}
    </svg>
  );
}

/** Returns the number of measured days and the day with the lowest uptime, as a sentence. */
function summarize(days: readonly UptimeDay[]): string {
  const measured = days.flatMap(({ day, uptime }) => (uptime === null ? [] : [{ day, uptime }]));
  const [first, ...rest] = measured;
  if (first === undefined) return 'No probe was scored.';
  const lowest = rest.reduce((one, other) => (other.uptime < one.uptime ? other : one), first);
  const faultless = measured.filter(({ uptime }) => uptime >= 100).length;
  return `${measured.length} of ${days.length} days have scored probes, ${faultless} of them without a failed probe. Lowest: ${formatPercent(lowest.uptime / 100)} on ${lowest.day}.`;
}
