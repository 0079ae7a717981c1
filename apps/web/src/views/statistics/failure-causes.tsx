import type { EcosystemDay } from '@touchstone/store';
import { Age, BarList, formatCount, formatPercent, Timestamp } from '@touchstone/ui';
import { describeCause } from '../shared/cause-text.ts';

/** Maximum number of causes with a bar of their own. */
const MAX_CAUSES = 10;

/** Causes of the failures of endpoints whose latest probe failed, with the most frequent cause first. */
export function FailureCauses({ day }: { readonly day: EcosystemDay }) {
  const causes = Object.entries(day.causes).sort(
    ([one, first], [other, second]) => second - first || one.localeCompare(other),
  );
  const failing = sum(causes);
  const rest = sum(causes.slice(MAX_CAUSES));
  return (
    <section aria-labelledby="causes" className="mt-16 grid gap-x-10 gap-y-4 lg:grid-cols-[1fr_2fr]">
      <div>
        <h2 id="causes" className="text-2xl font-bold">
          Causes of failure now
        </h2>
        <p className="mt-2 max-w-2xl text-ink-soft">
          {failing === 0
            ? 'The latest probe of every endpoint succeeded.'
            : `The latest probe of ${formatCount(failing)} of ${formatCount(day.endpoints)} endpoints failed. Each endpoint counts once, with the cause of that probe.`}
        </p>
        <p className="mt-2 text-sm text-ink-soft">
          <Timestamp iso={day.computedAt} />
          {' · '}
          <Age iso={day.computedAt} />
        </p>
      </div>
      {failing === 0 ? null : (
        <BarList
          format={(count) => `${formatCount(count)} (${formatPercent((100 * count) / failing)})`}
          items={[
            ...causes.slice(0, MAX_CAUSES).map(([cause, value]) => toItem(cause, value)),
            ...(rest === 0 ? [] : [{ label: 'Other causes', value: rest }]),
          ]}
        />
      )}
    </section>
  );
}

function toItem(cause: string, value: number) {
  const { label, effect, href, isDown } = describeCause(cause);
  return {
    label,
    value,
    ...(effect === null ? {} : { note: <a href={href}>{effect}</a> }),
    className: isDown ? 'stroke-rust' : 'stroke-silver',
  };
}

function sum(causes: readonly (readonly [cause: string, count: number])[]): number {
  return causes.reduce((total, [, count]) => total + count, 0);
}
