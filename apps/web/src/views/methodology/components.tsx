import type { ChangeKind } from '@touchstone/contract';
import { CHANGE_COSTS, COMPLIANCE_VALUES, COMPONENTS, WINDOW_DAYS } from '@touchstone/trust';
import { CurveChart, WeightBar } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { componentName } from '../component-name.ts';
import { DEPENDS_ON_SETUP } from '../depends-on-setup.ts';
import { figureWords } from './figure-words.ts';
import { ValueBars } from './value-bars.tsx';

type Row = (typeof COMPONENTS)[number];

/** Each component: what it measures, what it weighs, and how a measurement becomes a value. */
export function Components() {
  return (
    <div className="mt-4 space-y-12">
      <p className="max-w-3xl">
        Each component turns figures into a value from 0 to 1 and counts by its weight. What could not be
        measured is left out of both sums, so the weights of the others decide alone.
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
          {componentName(component)}
        </h3>
        <p className="tabular-nums">Weight {weight} of 100</p>
      </div>
      <WeightBar weight={weight} className="mt-2 h-2 w-full" />
      <p className="mt-4 max-w-3xl">{measures}</p>
      <p className="mt-2 max-w-3xl text-ink-soft">{formula}</p>
      <div className="mt-5">
        <Curves row={row} />
        {DRAWINGS[component]?.()}
      </div>
      <p className="mt-4 max-w-3xl text-sm text-ink-soft">
        <span className="font-semibold text-ink">When it is not measured:</span> {unmeasured}{' '}
        {DEPENDS_ON_SETUP[component]}
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

/** A curve, and where its points crowd the part of it that they crowd in once more, larger. */
function Curve({ figure, curve }: { readonly figure: string; readonly curve: Row['curves'][string] }) {
  const { title, axis, format, closeUpFrom } = figureWords(figure);
  return (
    <>
      <CurveChart title={title} curve={curve} xLabel={axis} formatX={format} />
      {closeUpFrom === undefined ? null : (
        <CurveChart
          title={`The same from ${format(closeUpFrom)}`}
          curve={{ ...curve, points: curve.points.filter(([x]) => x >= closeUpFrom) }}
          xLabel={axis}
          formatX={format}
        />
      )}
    </>
  );
}

/** Components whose values come from a table instead of a curve. */
const DRAWINGS: Readonly<Partial<Record<Row['component'], () => ReactNode>>> = {
  compliance: () => (
    <ValueBars
      rows={[
        ['Passes every check', COMPLIANCE_VALUES.pass],
        ['Warnings only', COMPLIANCE_VALUES.warnings],
        ['Errors, but a reference client can pay', COMPLIANCE_VALUES.errors],
        ['No reference client can pay', COMPLIANCE_VALUES.unpayable],
      ]}
    />
  ),
  stability: () => (
    <div className="grid gap-6 sm:grid-cols-2 xl:grid-cols-3">
      {CHANGES.map(([kind, title]) => (
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

const CHANGES: readonly (readonly [kind: ChangeKind, title: string])[] = [
  ['price_change', 'Lost to a change of price'],
  ['payto_change', 'Lost to a change of payTo'],
  ['asset_network_change', 'Lost to another asset or network'],
];
