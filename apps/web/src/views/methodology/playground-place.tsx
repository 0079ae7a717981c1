import { toGrade, GRADE_THRESHOLDS, RECOMMENDATION_RULES, score } from '@touchstone/trust';
import { formatScore, GradeMark, RecommendationChip } from '@touchstone/ui';
import { presetState, PRESETS } from '../../playground/presets.ts';
import { scoreInputsOf } from '../../playground/score-inputs.ts';

const GRADES = [...GRADE_THRESHOLDS.map(([, floor]) => toGrade(floor)), '?'] as const;
const RECOMMENDATIONS = [...new Set(RECOMMENDATION_RULES.map(({ recommendation }) => recommendation))];

/**
 * Where the script of the playground does its work. Until it does, and where it may not, its examples stand here with
 * what they score; the templates are the drawings it uses.
 */
export function PlaygroundPlace() {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        Move what was observed and see what becomes of the score. The formula that scores every endpoint runs
        here in your browser; the address keeps what you set, so it can be shared.
      </p>
      <div id="playground-root" className="mt-5 scroll-mt-6">
        <p className="border-l-4 border-accent bg-panel px-4 py-3">
          The playground needs JavaScript, which is not running here. Everything else on this page does
          without; so do these examples.
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
        const verdict = score(scoreInputsOf(presetState(preset), 0));
        return (
          <li key={preset.name} className="flex items-center gap-4 border-t border-line py-2">
            <GradeMark grade={verdict.grade} className="h-10 w-9 shrink-0" />
            <span className="grow">{preset.name}</span>
            <RecommendationChip recommendation={verdict.recommendation} />
            <span className="w-14 text-right tabular-nums">{formatScore(verdict.score)}</span>
          </li>
        );
      })}
    </ul>
  );
}
