import { RECOMMENDATION_RULES } from '@touchstone/trust';
import { RecommendationChip } from '@touchstone/ui';

/** The rules that lead to a recommendation, in order. */
export function Recommendations() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        The rules are gone through from the top, and the first that applies decides. A report names the
        reasons that made it apply.
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
