import { formatConstantPercent, formatNumber, formatUsd } from '@touchstone/common';
import type { ChangeKind, Component } from '@touchstone/contract';
import {
  CHANGE_COSTS,
  COMPLIANCE_VALUES,
  COMPONENTS,
  MAX_PERCENTILE_ERROR_PERCENT,
  WINDOW_DAYS,
} from '@touchstone/trust';
import { CurveChart, WeightBar } from '@touchstone/ui';
import type { ReactNode } from 'react';

type Row = (typeof COMPONENTS)[number];

/** Score components with description, weight, and the curves that convert a measurement to a value. */
export function Components() {
  return (
    <div className="mt-4 space-y-12">
      <p className="max-w-3xl">
        Each component converts measurements to a value from 0 to 1, which counts by its weight. The value
        stays constant outside the points of a curve, except where the drawn line continues to 0.
      </p>
      {COMPONENTS.map((row) => (
        <ComponentDetails key={row.component} row={row} />
      ))}
    </div>
  );
}

function ComponentDetails({ row }: { readonly row: Row }) {
  const { component, weight, measures, formula, unmeasured } = row;
  const id = `component-${component}`;
  const curves = Object.entries(row.curves);
  return (
    <article
      id={id}
      aria-labelledby={`${id}-title`}
      className="break-inside-avoid border-t-2 border-ink pt-4"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h3 id={`${id}-title`}>{formatComponentName(component)}</h3>
        <p className="tabular-nums">Weight {weight} of 100</p>
      </div>
      <WeightBar weight={weight} className="mt-2 h-2 w-full" />
      <p className="mt-4 max-w-3xl">{measures}</p>
      <p className="mt-2 max-w-3xl text-ink-soft">{formula}</p>
      <div className="mt-5">
        {curves.length === 0 ? null : (
          <div className="grid max-w-4xl gap-6 sm:grid-cols-2">
            {curves.map(([figure, curve]) => (
              <Curve key={figure} figure={figure} curve={curve} />
            ))}
          </div>
        )}
        {VALUE_CHARTS[component]?.()}
      </div>
      {NOTES[component] === undefined ? null : <p className="mt-4 max-w-3xl text-sm">{NOTES[component]}</p>}
      <p className="mt-4 max-w-3xl text-sm text-ink-soft">
        <span className="font-semibold text-ink">If not measured:</span> {unmeasured} {SETUP_NOTES[component]}
      </p>
    </article>
  );
}

/** Chart of a curve. If some points of the curve are close together, a second chart enlarges that part. */
function Curve({ figure, curve }: { readonly figure: string; readonly curve: Row['curves'][string] }) {
  const { title, axis, format, closeUpFrom } = getFigureText(figure);
  return (
    <>
      <CurveChart title={title} curve={curve} xLabel={axis} formatX={format} />
      {closeUpFrom === undefined ? null : (
        <CurveChart
          title={`${title}, from ${format(closeUpFrom)}`}
          curve={{ ...curve, points: curve.points.filter(([x]) => x >= closeUpFrom) }}
          xLabel={axis}
          formatX={format}
        />
      )}
    </>
  );
}

/** Notes on the accuracy of a measurement. */
const NOTES: Readonly<Partial<Record<Row['component'], string>>> = {
  latency: `Percentiles are read from a histogram. Each one is at most ${String(MAX_PERCENTILE_ERROR_PERCENT)} % too low or too high. Reports also show the time to the first byte, which does not count.`,
};

/** Charts of the score components whose values come from a table instead of a curve. */
const VALUE_CHARTS: Readonly<Partial<Record<Row['component'], () => ReactNode>>> = {
  compliance: () => (
    <ValueBars
      rows={[
        ['No error or warning that concerns payment', COMPLIANCE_VALUES.pass],
        ['Warnings only', COMPLIANCE_VALUES.warnings],
        ['Formal errors that cost no payment', COMPLIANCE_VALUES.errors],
        ['Could not be paid', COMPLIANCE_VALUES.unpayable],
      ]}
    />
  ),
  stability: () => (
    <div className="grid gap-6 sm:grid-cols-2 xl:grid-cols-3">
      {CHANGE_CHARTS.map(([kind, title]) => (
        <CurveChart
          key={kind}
          title={title}
          curve={{
            scale: 'linear',
            points: [
              [0, CHANGE_COSTS[kind]],
              [WINDOW_DAYS, 0],
            ],
          }}
          xLabel="days since the change"
          formatX={String}
        />
      ))}
    </div>
  ),
};

const CHANGE_CHARTS: readonly (readonly [kind: ChangeKind, title: string])[] = [
  ['price_change', 'Value lost by a change of price'],
  ['payto_change', 'Value lost by a change of payTo address'],
  ['asset_network_change', 'Value lost by a change of asset or network'],
];

const MAX_WEIGHT = Math.max(...COMPONENTS.map(({ weight }) => weight));

/** Score components with weight, description and a link to their section, highest weight first. */
export function ComponentWeights() {
  return (
    <dl>
      {COMPONENTS.map(({ component, weight, measures }) => (
        <div
          key={component}
          className="grid grid-cols-[7.5rem_3rem_1fr] gap-x-2 border-t border-line py-3 max-sm:grid-cols-[1fr_auto]"
        >
          <dt className="font-semibold">
            <a href={`#component-${component}`}>{formatComponentName(component)}</a>
          </dt>
          <dd className="text-right tabular-nums sm:pr-4">
            {weight}
            <span className="sr-only"> of 100 points</span>
          </dd>
          <dd className="text-ink-soft max-sm:col-span-2">
            <WeightBar weight={(100 * weight) / MAX_WEIGHT} className="mt-1 mb-2 h-1.5 w-full sm:mt-2.5" />
            {measures}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Formats the name of a score component with a capital first letter. */
function formatComponentName(component: Component): string {
  return component.charAt(0).toUpperCase() + component.slice(1);
}

/** Notes on the score components whose measurement depends on the configuration of the operator. */
const SETUP_NOTES: Readonly<Partial<Record<Component, string>>> = {
  activity:
    'Settlements are read from the chain on networks for which this service has an RPC provider. On other networks, activity is not measured.',
};

/** Texts for the chart of a measured figure: title, axis label and number format. */
interface FigureText {
  readonly title: string;
  readonly axis: string;
  readonly format: (x: number) => string;
  /** If the points of the curve are close together above this figure, a second chart enlarges that part. */
  readonly closeUpFrom?: number;
}

/** Chart texts of the measured figures, by their names in a report. */
const FIGURES: Readonly<Record<string, FigureText>> = {
  share: {
    title: 'Uptime',
    axis: 'share of scored probes that succeeded',
    format: formatConstantPercent,
    closeUpFrom: 0.9,
  },
  volumeUsd30d: {
    title: 'Settled volume that stayed',
    axis: 'US dollars in the last 30 days',
    format: formatUsd,
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

/** List of values from 0 to 1, each with a bar. */
function ValueBars({ rows }: { readonly rows: readonly (readonly [name: string, value: number])[] }) {
  return (
    <dl className="max-w-xl">
      {rows.map(([name, value]) => (
        <div key={name} className="grid grid-cols-[1fr_auto] gap-x-4 border-t border-line py-2">
          <dt>{name}</dt>
          <dd className="text-right tabular-nums">{value}</dd>
          <dd aria-hidden="true" className="col-span-2">
            <WeightBar weight={100 * value} className="mt-1 h-1.5 w-full" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
