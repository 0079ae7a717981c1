/** Texts for the chart of a measured figure: title, axis label and number format. */
export interface FigureText {
  readonly title: string;
  readonly axis: string;
  readonly format: (x: number) => string;
  /** If the points of the curve are close together above this figure, a second chart enlarges that part. */
  readonly closeUpFrom?: number;
}

const NUMBER = new Intl.NumberFormat('en-US');
const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

const formatNumber = (x: number): string => NUMBER.format(x);
const formatPercent = (x: number): string => PERCENT.format(x);

/** Chart texts of the measured figures, by their names in a report. */
const FIGURES: Readonly<Record<string, FigureText>> = {
  share: {
    title: 'Uptime',
    axis: 'share of scored probes that succeeded',
    format: formatPercent,
    closeUpFrom: 0.9,
  },
  volumeUsd30d: {
    title: 'Settled volume',
    axis: 'US dollars in the last 30 days',
    format: (x) => `$${formatNumber(x)}`,
  },
  payers30d: { title: 'Payers', axis: 'payers in the last 30 days', format: formatNumber },
  days: { title: 'Days since first seen', axis: 'days', format: formatNumber },
  p50: { title: 'Median latency', axis: 'milliseconds', format: formatNumber },
  p95: { title: '95th percentile of latency', axis: 'milliseconds', format: formatNumber },
};

/**
 * Returns the chart texts of a measured figure. By default, the title and the axis label are the name of the figure.
 */
export function getFigureText(figure: string): FigureText {
  return FIGURES[figure] ?? { title: figure, axis: figure, format: formatNumber };
}
