/** How a figure is named on an axis, and how one value of it is written. */
export interface FigureWords {
  readonly title: string;
  readonly axis: string;
  readonly format: (x: number) => string;
  /** Where the points of its curve begin to crowd. */
  readonly closeUpFrom?: number;
}

const NUMBER = new Intl.NumberFormat('en-US');
const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

const number = (x: number): string => NUMBER.format(x);
const percent = (x: number): string => PERCENT.format(x);

/** Words for the figures that curves turn into values, by the names they have in a report. */
const FIGURES: Readonly<Record<string, FigureWords>> = {
  share: {
    title: 'Share of probes that were up',
    axis: 'scored probes that were up',
    format: percent,
    closeUpFrom: 0.9,
  },
  volumeUsd30d: {
    title: 'Settled volume',
    axis: 'US dollars in 30 days',
    format: (x) => `$${number(x)}`,
  },
  payers30d: { title: 'Distinct payers', axis: 'payers in 30 days', format: number },
  days: { title: 'Days since first seen', axis: 'days', format: number },
  p50: { title: 'Median latency', axis: 'milliseconds', format: number },
  p95: { title: '95th percentile of latency', axis: 'milliseconds', format: number },
};

/** The words of a figure; one that has none is called by its name. */
export function figureWords(figure: string): FigureWords {
  return FIGURES[figure] ?? { title: figure, axis: figure, format: number };
}
