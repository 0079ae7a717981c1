import { GRADE_THRESHOLDS } from '@touchstone/trust';
import { ComponentWeights } from './component-weights.tsx';

const GRADED = GRADE_THRESHOLDS.filter(([, floor]) => floor > 0);

/** The score in brief. */
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
            The score is the weighted mean of what could be measured, from 0 to 100, lowered where a rule caps
            it: an endpoint that has been down for a day, or whose payee changed this week, cannot score well
            however good the rest is.
          </p>
          <p>
            {GRADED.map(
              ([grade, floor], index) => `${index === 0 ? 'Grade ' : ''}${grade} from ${floor}`,
            ).join(', ')}
            ; below that is F. Ungraded are endpoints that never ask for payment and those of which no probe
            could be scored. A template that advertises its terms is graded from what is known of it, at a
            confidence of 0 until it is probed.
          </p>
          <p>
            The same measurements always give the same score. What could not be measured leaves the weighting
            and lowers the confidence instead.
          </p>
          <p>
            <a href="/methodology">The whole formula</a>, with every curve, cap and flag, and a playground to
            try it.
          </p>
        </div>
      </div>
    </section>
  );
}
