import type { Snapshot } from '@touchstone/store';
import {
  Age,
  toConfidenceBand,
  formatConfidence,
  formatScore,
  GradeMark,
  formatGrade,
  RecommendationChip,
  getRecommendationText,
  ScoreScale,
  Timestamp,
} from '@touchstone/ui';
import { CurrentFailure, formatCauses, PastFailure } from './endpoint-failure.tsx';

/** Grade, score, recommendation, confidence and failures of an endpoint, with the age of the snapshot. */
export function EndpointVerdict({ snapshot }: { readonly snapshot: Snapshot }) {
  const { grade, score, recommendation, confidence, computedAt, failingSince, lastFailure } = snapshot;
  return (
    <section aria-labelledby="verdict" className="mt-8 border border-line bg-panel">
      <h2 id="verdict" className="sr-only">
        Verdict
      </h2>
      <CurrentFailure snapshot={snapshot} />
      <div className="grid gap-8 p-5 sm:p-8 lg:grid-cols-[auto_1fr] lg:gap-12">
        <div className="flex items-center gap-6">
          <GradeMark grade={grade} className="h-32 w-28 shrink-0" />
          <div>
            <p className="text-6xl leading-none font-bold">{formatScore(score)}</p>
            <p className="mt-2 text-ink-soft">
              of 100 · <span className="whitespace-nowrap">{formatGrade(grade)}</span>
            </p>
          </div>
        </div>
        <div>
          <p className="text-2xl">
            <RecommendationChip recommendation={recommendation} />
          </p>
          <p className="mt-1 max-w-2xl text-ink-soft">{getRecommendationText(recommendation).meaning}</p>
          <div className="mt-5">
            <ScoreScale score={score} grade={grade} />
          </div>
        </div>
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-2 border-t border-line px-5 py-4 text-sm sm:px-8">
        <Line term="Confidence">
          {formatConfidence(confidence)} of 1, {toConfidenceBand(confidence)}
        </Line>
        <Line term="Snapshot computed">
          <Timestamp iso={computedAt} />
          <span className="text-ink-soft">
            {' · '}
            <Age iso={computedAt} />
          </span>
        </Line>
        {failingSince !== null || lastFailure === null ? null : (
          <Line term="Last failure">
            <PastFailure failure={lastFailure} />
          </Line>
        )}
        {lastFailure === null || Object.keys(lastFailure.causes30d).length === 0 ? null : (
          <Line term="Failed probes, last 30 days">{formatCauses(lastFailure)}</Line>
        )}
      </dl>
    </section>
  );
}

function Line({ term, children }: { readonly term: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
