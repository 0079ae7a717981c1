import {
  DAY_MS,
  formatCount,
  formatMinute,
  formatMs,
  formatNumber,
  formatPercent,
  formatScore,
  formatUsd,
} from '@touchstone/common';
import type { History } from '@touchstone/contract';
import { MAX_PERCENTILE_ERROR_PERCENT } from '@touchstone/trust';
import {
  formatRows,
  joinSections,
  LABEL_COLUMNS,
  type Row,
  type TextStyle,
  toPlainText,
  wrap,
} from '../terminal/text.ts';
import { formatFailures, formatPurchase } from './verdict-text.ts';

/** Maximum number of printed events; `--json` prints all. */
const MAX_EVENTS = 20;
/** Maximum number of printed test purchases; `--json` prints all. */
const MAX_PURCHASES = 5;
const MAX_DISTINCT_TERMS = 3;
const LATENCY_NOTE = ` (whole response: daily median, error at most ${formatNumber(MAX_PERCENTILE_ERROR_PERCENT)} %)`;

/**
 * Formats a history: a sparkline for each figure, the probes by outcome, the causes of failures, the latest test purchases
 * and the latest events.
 */
export function formatHistory(history: History, style: TextStyle): string {
  const days = listHistoryDays(history);
  return joinSections([
    formatHeading(history, days.length, style),
    formatTracks(days, formatUptimeNote(history), style),
    formatRows(createProbeRows(history), style),
    formatEvents(history, style),
  ]);
}

function formatHeading(
  { resource, days, from, to }: History,
  dayCount: number,
  { paint, width }: TextStyle,
): string[] {
  const perColumn = countValuesPerColumn(dayCount, width - LABEL_COLUMNS);
  const column = perColumn === 1 ? 'one day' : `${String(perColumn)} days`;
  const span = `${formatNumber(days)} days, ${formatMinute(from)} to ${formatMinute(to)}. Each column is ${column}.`;
  return [paint('bold', toPlainText(resource, 2_000)), ...wrap(span, '', width)];
}

/** Values of one figure over time, with the scale on which they are drawn. */
interface Track {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly range: Range;
  readonly format: (value: number) => string;
  /** Text after the lowest and the highest value. */
  readonly note?: string;
}

/** Creates one track for each figure. The scale of uptime is always 0 to 100 %, so that a short failure looks small. */
function createTracks(days: readonly HistoryDay[], uptimeNote: string): Track[] {
  const uptime = days.map((day) => day.uptime);
  const latency = days.map((day) => day.latencyMs);
  const score = days.map((day) => day.score);
  const price = days.map((day) => day.priceUsd);
  return [
    { name: 'Uptime', values: uptime, range: { low: 0, high: 1 }, format: formatPercent, note: uptimeNote },
    {
      name: 'Latency',
      values: latency,
      range: findRange(latency, 100),
      format: formatMs,
      note: LATENCY_NOTE,
    },
    { name: 'Score', values: score, range: findRange(score, 10), format: formatScore },
    { name: 'Price', values: price, range: findRange(price, 0), format: formatUsd },
  ];
}

/** Names the last day with a scored probe, if later days have only probes that were not scored. */
function formatUptimeNote({ daily }: History): string {
  const last = daily.findLast(({ scored }) => scored > 0)?.day;
  const isUnscored = last !== undefined && daily.some(({ day, probes }) => day > last && probes > 0);
  return isUnscored ? ` of scored probes (last on ${last})` : ' of scored probes';
}

function formatTracks(days: readonly HistoryDay[], uptimeNote: string, style: TextStyle): string[] {
  return createTracks(days, uptimeNote).flatMap(({ name, values, range, format, note = '' }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return formatRows([[name, 'not measured']], style);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const text = `${low === high ? format(low) : `${format(low)} to ${format(high)}`}${note}`;
    const line = drawSparkline(averageToColumns(values, style.width - LABEL_COLUMNS), range);
    return [
      ...formatRows([[name, text]], style),
      `${' '.repeat(LABEL_COLUMNS)}${style.paint('green', line)}`,
    ];
  });
}

function createProbeRows(history: History): Row[] {
  const failures = formatFailures(history.lastFailure);
  return [
    ['Outcomes', formatOutcomes(history)],
    ...(failures === null ? [] : [['Failures', failures] as const]),
    ...history.purchases
      .slice(-MAX_PURCHASES)
      .map((purchase, index) => [index === 0 ? 'Bought' : '', formatPurchase(purchase)] as const),
  ];
}

function formatOutcomes({ probes, daily, probesResolution }: History): string {
  if (probesResolution === 'daily') {
    const total = daily.reduce((sum, day) => sum + day.probes, 0);
    return `${formatCount(total, 'probe')}; the probes one by one were not requested`;
  }
  const counts = new Map<string, number>();
  for (const { outcome, probes: count = 1 } of probes)
    counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  const texts = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${toPlainText(outcome, 40)} ${formatNumber(count)}`);
  const resolution = probesResolution === 'hourly' ? ' (oldest probes grouped by hour)' : '';
  return texts.length === 0 ? 'no probes' : `${texts.join(', ')}${resolution}`;
}

type Snapshot = History['snapshots'][number];

function formatEvents({ snapshots }: History, { paint, width }: TextStyle): string[] {
  const latest = snapshots.slice(-MAX_EVENTS);
  const omitted = snapshots.length - latest.length;
  const note = omitted === 0 ? [] : [paint('dim', `  ${formatNumber(omitted)} earlier events not shown`)];
  const lines = latest.flatMap((snapshot) => {
    const { at, event, varies } = snapshot;
    const change = [formatChange(snapshot), varies === true ? 'varies from here on' : '']
      .filter((text) => text !== '')
      .join('; ');
    const head = `  ${paint('dim', formatMinute(at))}  ${paint(COLORS[event], event)}`;
    const columns = 4 + formatMinute(at).length + event.length;
    if (columns + 2 + change.length <= width) return [change === '' ? head : `${head}  ${change}`];
    return [head, ...wrap(change, '    ', width)];
  });
  return [...note, ...lines];
}

const COLORS = {
  listed: 'green',
  relisted: 'green',
  delisted: 'red',
  payto_change: 'red',
  price_change: 'yellow',
  asset_network_change: 'yellow',
  metadata_change: 'blue',
} as const satisfies Record<Snapshot['event'], string>;

type State = NonNullable<Snapshot['after']>;
type Metadata = Extract<State, { readonly directory: string }>;
type Terms = Exclude<State, Metadata>;

/** Formats the old and the new value of an event, such as `$0.01 → $0.02`. Empty when both texts are equal. */
function formatChange({ event, before, after }: Snapshot): string {
  if (before === null && after === null) return '';
  const [oldText, newText] = [formatState(event, before), formatState(event, after)];
  if (oldText === newText) return '';
  const directory = findDirectory(after) ?? findDirectory(before);
  const place = directory === null ? '' : `${toPlainText(directory, 60)}: `;
  return `${place}${oldText} → ${newText}`;
}

function findDirectory(state: State | null): string | null {
  return state !== null && 'directory' in state ? state.directory : null;
}

function formatState(event: Snapshot['event'], state: State | null): string {
  if (state === null) return 'none';
  return 'directory' in state ? formatMetadata(state) : formatTerms(event, state);
}

/** Formats the unverified name and description of an endpoint in a directory. */
function formatMetadata({ serviceName, description }: Metadata): string {
  const texts = [serviceName, description].flatMap((text) => (text ? [toPlainText(text, 100)] : []));
  return texts.length === 0 ? 'no texts' : `"${texts.join(': ')}"`;
}

/** Formats the part of the payment terms that an event changes: receiving address, token, or price. */
function formatTerms(event: Snapshot['event'], { options }: Terms): string {
  const texts = options.map(({ amountUsd, amount, payTo, network, asset, assetSymbol }) => {
    if (event === 'payto_change') return toPlainText(payTo, 100);
    if (event === 'asset_network_change') return toPlainText(`${assetSymbol ?? asset} on ${network}`, 160);
    return amountUsd === null ? `${amount ?? '?'} atomic units` : formatUsd(amountUsd);
  });
  const distinct = [...new Set(texts)];
  return distinct.length === 0 ? 'none' : distinct.slice(0, MAX_DISTINCT_TERMS).join(' or ');
}

/** Figures of one day. A figure that was not measured is null. */
interface HistoryDay {
  readonly uptime: number | null;
  /** Median time to the last byte of the response, in milliseconds. */
  readonly latencyMs: number | null;
  readonly score: number | null;
  /** Last advertised price of the day, in US dollars. A floating-point number is exact enough for a chart. */
  readonly priceUsd: number | null;
}

/** Maximum number of calendar days. A history of 90 × 24 hours touches 91 calendar days. */
const MAX_DAYS = 91;
const NOT_MEASURED: HistoryDay = { uptime: null, latencyMs: null, score: null, priceUsd: null };

/** Lists every day of a history in order. Days without figures are included, so that the chart shows gaps. */
function listHistoryDays({ from, to, daily, probes }: History): HistoryDay[] {
  const prices = new Map<string, number>();
  for (const { at, amountUsd } of probes)
    if (amountUsd !== null) prices.set(at.slice(0, 10), Number(amountUsd));
  const entries = new Map(daily.map((entry) => [entry.day, entry]));
  const first = Date.parse(from.slice(0, 10));
  const count = Math.floor((Date.parse(to.slice(0, 10)) - first) / DAY_MS) + 1;
  return Array.from({ length: Math.min(MAX_DAYS, Math.max(0, count)) }, (_, index) => {
    const day = new Date(first + index * DAY_MS).toISOString().slice(0, 10);
    const entry = entries.get(day);
    const priceUsd = prices.get(day) ?? null;
    if (entry === undefined) return { ...NOT_MEASURED, priceUsd };
    const { scored, up, latencyMsP50, score } = entry;
    return { uptime: scored === 0 ? null : up / scored, latencyMs: latencyMsP50, score, priceUsd };
  });
}

const STEPS = '▁▂▃▄▅▆▇█';

/** Values at the bottom and at the top of a scale. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Draws one column (`▁` to `█`) for each value, and a space for null. */
export function drawSparkline(values: readonly (number | null)[], { low, high }: Range): string {
  return values
    .map((value) => {
      if (value === null) return ' ';
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return STEPS[Math.min(STEPS.length - 1, Math.max(0, Math.floor(share * STEPS.length)))] ?? ' ';
    })
    .join('');
}

/**
 * Returns a scale that covers all values.
 *
 * @param minSpan minimum difference between both ends of the scale, so that small differences look small
 */
export function findRange(values: readonly (number | null)[], minSpan: number): Range {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return { low: 0, high: minSpan };
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const missing = Math.max(0, minSpan - (high - low));
  return { low: low - missing / 2, high: high + missing / 2 };
}

/** Returns the number of values that share one column, at least 1, so that all values fit into `columns`. */
function countValuesPerColumn(valueCount: number, columns: number): number {
  return Math.max(1, Math.ceil(valueCount / Math.max(1, columns)));
}

/** Reduces values to at most `columns` values. Each result is the mean of neighbouring values that are not null. */
export function averageToColumns(values: readonly (number | null)[], columns: number): (number | null)[] {
  const perColumn = countValuesPerColumn(values.length, columns);
  if (perColumn === 1) return [...values];
  return Array.from({ length: Math.ceil(values.length / perColumn) }, (_, index) => {
    const known = values.slice(index * perColumn, (index + 1) * perColumn).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}
