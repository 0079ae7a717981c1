import { COMPONENTS } from '@touchstone/trust';
import { WeightBar } from '@touchstone/ui';
import { formatComponentName } from './component-name.ts';
import { SETUP_NOTES } from './depends-on-setup.ts';

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
            {measures} {SETUP_NOTES[component]}
          </dd>
        </div>
      ))}
    </dl>
  );
}
