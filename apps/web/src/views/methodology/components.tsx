import type { ChangeKind } from '@touchstone/contract';
import {
  CHANGE_COSTS,
  COMPLIANCE_VALUES,
  COMPONENTS,
  MAX_PERCENTILE_ERROR_PERCENT,
  WINDOW_DAYS,
} from '@touchstone/trust';
import { CurveChart, WeightBar } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { formatComponentName } from './component-name.ts';
import { SETUP_NOTES } from './depends-on-setup.ts';
import { getFigureText } from './figure-text.ts';
import { ValueBars } from './value-bars.tsx';

type Row = (typeof COMPONENTS)[number];

/** Score components with description, weight, and the curves that convert a measurement to a value. */
export function Components() {
  return (
    <div className="mt-4 space-y-12">
      <p className="max-w-3xl">
        Each component converts measurements to a value from 0 to 1, which counts by its weight. An unmeasured
        component is excluded from both sums of the formula.
      </p>
      {COMPONENTS.map((row) => (
        <Component key={row.component} row={row} />
      ))}
    </div>
  );
}

function Component({ row }: { readonly row: Row }) {
  const { component, weight, measures, formula, unmeasured } = row;
  const id = `component-${component}`;
  return (
    <article
      id={id}
      aria-labelledby={`${id}-title`}
      className="break-inside-avoid border-t-2 border-ink pt-4"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h3 id={`${id}-title`} className="text-xl font-semibold">
          {formatComponentName(component)}
        </h3>
        <p className="tabular-nums">Weight {weight} of 100</p>
      </div>
      <WeightBar weight={weight} className="mt-2 h-2 w-full" />
      <p className="mt-4 max-w-3xl">{measures}</p>
      <p className="mt-2 max-w-3xl text-ink-soft">{formula}</p>
      <div className="mt-5">
        <Curves row={row} />
        {VALUE_CHARTS[component]?.()}
      </div>
      {NOTES[component] === undefined ? null : <p className="mt-4 max-w-3xl text-sm">{NOTES[component]}</p>}
      <p className="mt-4 max-w-3xl text-sm text-ink-soft">
        <span className="font-semibold text-ink">If not measured:</span> {unmeasured} {SETUP_NOTES[component]}
      </p>
    </article>
  );
}

function Curves({ row }: { readonly row: Row }) {
  const curves = Object.entries(row.curves);
  if (curves.length === 0) return null;
  return (
    <div className="grid max-w-4xl gap-6 sm:grid-cols-2">
      {curves.map(([figure, curve]) => (
        <Curve key={figure} figure={figure} curve={curve} />
      ))}
    </div>
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
