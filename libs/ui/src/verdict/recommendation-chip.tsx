import type { Recommendation } from '@touchstone/contract';
import { getRecommendationText } from './verdict.ts';

interface RecommendationIcon {
  /**
   * SVG path of the icon in a 16 by 16 drawing. Each recommendation has a different path, so that color is not the only
   * difference.
   */
  readonly path: string;
  readonly tone: string;
}

const RECOMMENDATION_ICONS: Readonly<Record<Recommendation, RecommendationIcon>> = {
  proceed: { path: 'M3 8.5 6.5 12 13 4.5', tone: 'text-good' },
  caution: { path: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.6', tone: 'text-warn' },
  parameterize: {
    path: 'M6 2.5c-2 0-2 1-2 2.5S3.5 8 2 8c1.5 0 2 1.5 2 3s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s.5 3 2 3c-1.5 0-2 1.5-2 3s0 2.5-2 2.5',
    tone: 'text-ink',
  },
  avoid: { path: 'M3.5 3.5l9 9M12.5 3.5l-9 9', tone: 'text-bad' },
  unverified: { path: 'M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .8-1 1.7M8 12.4v.6', tone: 'text-ink-soft' },
  free: { path: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11', tone: 'text-ink-soft' },
};

/** Recommendation as an icon with a label. */
export function RecommendationChip({
  recommendation,
  className = '',
}: {
  readonly recommendation: Recommendation;
  readonly className?: string;
}) {
  const { path, tone } = RECOMMENDATION_ICONS[recommendation];
  return (
    <span className={`inline-flex items-center gap-1.5 font-semibold whitespace-nowrap ${tone} ${className}`}>
      <svg viewBox="0 0 16 16" className="size-[1em] shrink-0" aria-hidden="true">
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {getRecommendationText(recommendation).label}
    </span>
  );
}
