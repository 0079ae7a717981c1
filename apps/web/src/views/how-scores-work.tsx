import { GRADE_FLOORS } from '@touchstone/ui';

/** The components of scoring version 1.0.0 and their weights, heaviest first. */
export const COMPONENTS = [
  [
    'Uptime',
    30,
    'Share of probes over 30 days that the endpoint answered as itself. Our own failures do not count.',
  ],
  [
    'Compliance',
    25,
    'How well its 402 answers follow the x402 specification, and whether a client could pay them.',
  ],
  [
    'Stability',
    15,
    'Changes of price, payee, asset or network, fading over 30 days. Templates may vary freely.',
  ],
  [
    'Activity',
    15,
    'Not measured yet: settlements on chain are not read so far, so it leaves the weighting of every score.',
  ],
  ['Age', 10, 'Days since it was first seen.'],
  ['Latency', 5, 'Time to first byte, measured from one place in the EU.'],
] as const;

/** The score in brief. */
export function HowScoresWork() {
  return (
    <section aria-labelledby="how" className="mt-16">
      <h2 id="how" className="text-2xl font-bold">
        How the score works
      </h2>
      <div className="mt-4 grid gap-x-16 gap-y-8 lg:grid-cols-[1.4fr_1fr]">
        <dl>
          {COMPONENTS.map(([name, weight, meaning]) => (
            <div
              key={name}
              className="grid grid-cols-[7.5rem_3rem_1fr] gap-x-2 border-t border-line py-3 max-sm:grid-cols-[1fr_auto]"
            >
              <dt className="font-semibold">{name}</dt>
              <dd className="text-right tabular-nums sm:pr-4">
                {weight}
                <span className="sr-only"> of 100 points</span>
              </dd>
              <dd className="text-ink-soft max-sm:col-span-2">{meaning}</dd>
            </div>
          ))}
        </dl>
        <div className="space-y-4">
          <p>
            The score is the weighted mean of what could be measured, from 0 to 100, lowered where a rule caps
            it: an endpoint that has been down for a day, or whose payee changed this week, cannot score well
            however good the rest is.
          </p>
          <p>
            Grade A begins at {GRADE_FLOORS.A}, B at {GRADE_FLOORS.B}, C at {GRADE_FLOORS.C} and D at{' '}
            {GRADE_FLOORS.D}; below that is F. Ungraded are endpoints that never ask for payment and those of
            which no probe could be scored. A template that advertises its terms is graded from what is known
            of it, at a confidence of 0 until it is probed.
          </p>
          <p>
            The same measurements always give the same score. What could not be measured leaves the weighting
            and lowers the confidence instead.
          </p>
        </div>
      </div>
    </section>
  );
}
