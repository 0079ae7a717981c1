import { GRADE_THRESHOLDS } from '@touchstone/trust';
import { ComponentWeights } from '../shared/component-weights.tsx';

const GRADED = GRADE_THRESHOLDS.filter(([, floor]) => floor > 0);

/** Summary of the score formula. */
export function HowScoresWork() {
  return (
    <section aria-labelledby="how" className="mt-16">
      <h2 id="how" className="text-2xl font-bold">
        How the score works
      </h2>
      <div className="mt-4 grid gap-x-16 gap-y-8 lg:grid-cols-[1.4fr_1fr]">
        <ComponentWeights />
        <div className="space-y-4">
          <p>
            The score is the weighted mean of the measured components, from 0 to 100. Caps limit it: an
            endpoint that has been down for a day, or whose payTo address changed in the last 7 days, cannot
            score well.
          </p>
          <p>
            {GRADED.map(
              ([grade, floor], index) => `${index === 0 ? 'Grade ' : ''}${grade} from ${floor}`,
            ).join(', ')}
            ; a lower score is F. Endpoints that never request payment, and endpoints without a scored probe,
            have no grade. A template with advertised payment terms is graded from those terms, at a
            confidence of 0 until it is probed.
          </p>
          <p>
            The same measurements always give the same score. A component that could not be measured is
            excluded from the mean and lowers the confidence instead.
          </p>
          <p>
            The <a href="/methodology">methodology</a> has the full formula with every curve, cap and flag,
            and a playground to try it.
          </p>
        </div>
      </div>
    </section>
  );
}
