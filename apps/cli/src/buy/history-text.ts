import type { History } from '@touchstone/contract';
import { plain } from '../plain.ts';
import { wrap } from '../wrap.ts';
import { dollarWords, msWords, numberWords, percentWords, pointsWords, timeWords } from './figures.ts';
import { historyDays, type HistoryDay } from './history-days.ts';
import { rangeOf, sparkline, squeeze, type Range } from './spark.ts';
import { rowLines, sectionsText, type Row, type TextStyle } from './text-style.ts';

/** The most events and kinds of answers that are listed; `--json` has all. */
const MOST_EVENTS = 20;
const MARGIN = 13;

/** A history for people: a line of columns for each figure, a column for each day, and what changed. */
export function historyText(history: History, style: TextStyle): string {
  const days = historyDays(history);
  return sectionsText([
    headLines(history, style),
    sparkLines(days, style),
    rowLines(answerRows(history), style),
    eventLines(history, style),
  ]);
}

function headLines({ resource, days, from, to }: History, { paint, width }: TextStyle): string[] {
  const span = `${numberWords(days)} days, ${timeWords(from)} to ${timeWords(to)}, each column a day`;
  return [paint('bold', plain(resource, 2_000)), ...wrap(span, '', width)];
}

interface Track {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly range: Range;
  readonly words: (value: number) => string;
}

/** Each with its own scale; uptime with the whole one, so that a bad hour does not look like an outage. */
function tracksOf(days: readonly HistoryDay[]): Track[] {
  const uptime = days.map(({ uptime: share }) => share);
  const latency = days.map(({ latencyMs }) => latencyMs);
  const score = days.map(({ score: points }) => points);
  const price = days.map(({ priceUsd }) => priceUsd);
  return [
    { name: 'Uptime', values: uptime, range: { low: 0, high: 1 }, words: percentWords },
    { name: 'Latency', values: latency, range: rangeOf(latency, 100), words: msWords },
    { name: 'Score', values: score, range: rangeOf(score, 10), words: pointsWords },
    {
      name: 'Price',
      values: price,
      range: rangeOf(price, 0),
      words: (value) => dollarWords(value.toFixed(6)),
    },
  ];
}

function sparkLines(days: readonly HistoryDay[], { paint, width }: TextStyle): string[] {
  return tracksOf(days).flatMap(({ name, values, range, words }) => {
    const known = values.filter((value) => value !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const told =
      known.length === 0 ? 'not measured' : low === high ? words(low) : `${words(low)} to ${words(high)}`;
    const columns = squeeze(values, width - MARGIN);
    const line =
      known.length === 0 ? [] : [`${' '.repeat(MARGIN)}${paint('green', sparkline(columns, range))}`];
    return [...rowLines([[name, told]], { paint, width }), ...line];
  });
}

function answerRows({ probes, probesResolution }: History): Row[] {
  const counts = new Map<string, number>();
  for (const { outcome, probes: count = 1 } of probes)
    counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  const told = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${plain(outcome, 40)} ${numberWords(count)}`);
  const coarse = probesResolution === 'hourly' ? ' (the oldest by the hour)' : '';
  return [['Answers', told.length === 0 ? 'no probes' : `${told.join(', ')}${coarse}`]];
}

type Snapshot = History['snapshots'][number];

function eventLines({ snapshots }: History, { paint, width }: TextStyle): string[] {
  const latest = snapshots.slice(-MOST_EVENTS);
  const earlier = snapshots.length - latest.length;
  const before = earlier === 0 ? [] : [paint('dim', `  ${numberWords(earlier)} earlier events`)];
  const lines = latest.flatMap((snapshot) => {
    const { at, event } = snapshot;
    const change = changeWords(snapshot);
    const head = `  ${paint('dim', timeWords(at))}  ${paint(COLORS[event], event)}`;
    const columns = 4 + timeWords(at).length + event.length;
    if (columns + 2 + change.length <= width) return [change === '' ? head : `${head}  ${change}`];
    return [head, ...wrap(change, '    ', width)];
  });
  return [...before, ...lines];
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

/** What of the terms an event is about, before and after. */
function changeWords({ event, before, after }: Snapshot): string {
  if (before === null && after === null) return '';
  const was = before === null ? 'nothing' : aspectWords(event, before);
  const is = after === null ? 'nothing' : aspectWords(event, after);
  return was === is ? '' : `${was} → ${is}`;
}

type Terms = NonNullable<Snapshot['after']>;

function aspectWords(event: Snapshot['event'], { options, description }: Terms): string {
  if (event === 'metadata_change') return plain(description ?? 'no description', 100);
  const told = options.map(({ amountUsd, amount, payTo, network, asset, assetSymbol }) => {
    if (event === 'payto_change') return plain(payTo, 100);
    if (event === 'asset_network_change') return plain(`${assetSymbol ?? asset} on ${network}`, 160);
    return amountUsd === null ? `${amount ?? '?'} units` : dollarWords(amountUsd);
  });
  const distinct = [...new Set(told)];
  return distinct.length === 0 ? 'nothing' : distinct.slice(0, 3).join(' or ');
}
