import { formatGradedScore } from '@touchstone/common';
import { GRADE_THRESHOLDS } from '@touchstone/contract';
import { toGrade, RECOMMENDATION_RULES, score } from '@touchstone/trust';
import { GradeMark, RecommendationChip } from '@touchstone/ui';
import { PRESETS, toPresetState } from './playground/presets.ts';
import { toScoreInputs } from './playground/score-inputs.ts';

const GRADES = [...GRADE_THRESHOLDS.map(([, floor]) => toGrade(floor)), '?'] as const;
const RECOMMENDATIONS = [...new Set(RECOMMENDATION_RULES.map(({ recommendation }) => recommendation))];

/**
 * Container of the playground. Without JavaScript, it shows the example endpoints with their scores. The playground
 * script takes its images from the `template` elements.
 */
export function PlaygroundSection() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        Change the observations and see the score. The formula of the service runs in your browser. The URL
        contains your settings, so you can share it.
      </p>
      <div id="playground-root" className="mt-5 scroll-mt-6">
        <p className="border-l-4 border-accent bg-panel px-4 py-3">
          The playground needs JavaScript, which is not available here. The examples below and the rest of
          this page work without it.
        </p>
        <Examples />
        {GRADES.map((grade) => (
          <template key={grade} data-grade={grade}>
            <GradeMark grade={grade} className="h-14 w-12" />
          </template>
        ))}
        {RECOMMENDATIONS.map((recommendation) => (
          <template key={recommendation} data-recommendation={recommendation}>
            <RecommendationChip recommendation={recommendation} />
          </template>
        ))}
      </div>
    </>
  );
}

function Examples() {
  return (
    <ul className="mt-4 border-b border-line">
      {PRESETS.map((preset) => {
        const verdict = score(toScoreInputs(toPresetState(preset), 0));
        return (
          <li key={preset.name} className="flex items-center gap-4 border-t border-line py-2">
            <GradeMark grade={verdict.grade} className="h-10 w-9 shrink-0" />
            <span className="grow">{preset.name}</span>
            <RecommendationChip recommendation={verdict.recommendation} />
            <span className="w-14 text-right tabular-nums">{formatGradedScore(verdict) ?? 'no score'}</span>
          </li>
        );
      })}
    </ul>
  );
}
