import { RECOMMENDATION_RULES } from '@touchstone/trust';
import { RecommendationChip } from '@touchstone/ui';

/** Rules that determine the recommendation, in the order of their evaluation. */
export function Recommendations() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        The first rule that applies decides the recommendation. A report gives the reasons why that rule
        applies.
      </p>
      <ol className="mt-4 max-w-4xl border-b border-line">
        {RECOMMENDATION_RULES.map(({ recommendation, rule }, index) => (
          <li
            key={rule}
            className="grid grid-cols-[1.5rem_1fr] gap-x-3 border-t border-line py-3 sm:grid-cols-[1.5rem_10rem_1fr]"
          >
            <span aria-hidden="true" className="text-ink-soft tabular-nums">
              {index + 1}
            </span>
            <span>
              <RecommendationChip recommendation={recommendation} />
            </span>
            <span className="max-sm:col-start-2">{rule}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
