import { CONFIDENCE, WINDOW_DAYS } from '@touchstone/trust';
import { ComponentWeights } from './component-weights.tsx';

/** Score formula as a sentence and in mathematical notation, with an explanation of each part of its result. */
export function Brief() {
  return (
    <>
      <p className="mt-4 max-w-3xl text-lg">
        The score is the weighted mean of the components measured over the last {WINDOW_DAYS} days, from 0 to
        100. The lowest cap that applies limits it.
      </p>
      <Formula />
      <div className="mt-8 grid gap-x-14 gap-y-10 xl:grid-cols-[1.3fr_1fr]">
        <ComponentWeights />
        <HowToRead />
      </div>
    </>
  );
}

function Formula() {
  return (
    <div className="mt-6 overflow-hidden rounded-sm border border-stone-line bg-stone px-4 py-6 text-stone-ink sm:px-8">
      <p
        role="math"
        aria-label="score = minimum of the caps that apply and of 100 times the sum of weight times value over the measured components, divided by the sum of their weights"
        className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 text-lg sm:text-2xl"
      >
        <span>score = min</span>
        <span className="flex items-center gap-x-2">
          <span className="text-4xl font-light sm:text-5xl">(</span>
          <span>100 ×</span>
          <span className="inline-flex flex-col text-center">
            <span className="border-b border-stone-soft px-2 pb-1">Σ weight · value</span>
            <span className="px-2 pt-1">Σ weight</span>
          </span>
          <span>, caps</span>
          <span className="text-4xl font-light sm:text-5xl">)</span>
        </span>
      </p>
      <p className="mt-4 text-center text-sm text-stone-soft">
        Each value is from 0 to 1. Both sums include only the measured components.
      </p>
    </div>
  );
}

const READINGS = [
  [
    'Score and grade',
    'Measured quality of the endpoint. The grade is the score as a letter. Neither covers what was not measured.',
    '#grades',
  ],
  [
    'Recommendation',
    'Advice to a payer. It can be stricter than the grade: one error flag is enough for “avoid”.',
    '#recommendations',
  ],
  [
    'Confidence',
    `Amount of evidence behind the score, from 0 to 1. Below ${CONFIDENCE.low.toFixed(2)}, the recommendation is never “proceed”.`,
    '#confidence',
  ],
  [
    'Range',
    'Lowest and highest score that the observations allow. Rankings are ordered by the lower bound.',
    '#range',
  ],
  ['Flags', 'Findings that a payer should know, each with its trigger and fix.', '#flags'],
] as const;

function HowToRead() {
  return (
    <div>
      <h3 className="text-lg font-semibold">How to read a verdict</h3>
      <dl className="mt-2 space-y-3">
        {READINGS.map(([term, meaning, href]) => (
          <div key={term}>
            <dt className="font-semibold">
              <a href={href}>{term}</a>
            </dt>
            <dd className="text-ink-soft">{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
