import type { Grade, Recommendation } from '@touchstone/contract';
import type { Snapshot } from '@touchstone/store';
import { formatDay, formatGrade, formatPercent, formatScore, getRecommendationText } from '@touchstone/ui';

/** Maximum length of the URL on a picture, in characters. */
const MAX_RESOURCE_LENGTH = 110;

/** Everything that the picture of an endpoint shows. Pictures with equal content are equal. */
export interface EndpointPictureContent {
  readonly grade: Grade;
  /** Accessible name of the grade, for example "Grade A" or "Ungraded". */
  readonly gradeName: string;
  readonly score: string;
  readonly recommendation: Recommendation;
  readonly recommendationLabel: string;
  /** URL without `https://`, in printable ASCII and shortened. */
  readonly resource: string;
  readonly uptime: string;
  /** Day of the snapshot, `YYYY-MM-DD`. */
  readonly day: string;
}

/** Selects the content of the picture of an endpoint from its snapshot. */
export function createPictureContent(snapshot: Snapshot): EndpointPictureContent {
  const { grade, score, recommendation, resource, uptime30d, computedAt } = snapshot;
  return {
    grade,
    gradeName: formatGrade(grade),
    score: formatScore(score),
    recommendation,
    recommendationLabel: getRecommendationText(recommendation).label,
    resource: toDrawableText(resource.replace(/^https:\/\//, ''), MAX_RESOURCE_LENGTH),
    uptime: uptime30d === null ? 'Uptime not measured' : `Uptime, 30 days: ${formatPercent(uptime30d)}`,
    day: formatDay(computedAt),
  };
}

/**
 * Converts untrusted text to printable ASCII of at most `maxLength` characters. For any other character, the library that
 * draws the picture would request a font or an emoji from another server.
 */
export function toDrawableText(text: string, maxLength: number): string {
  const ascii = text.replace(/[^\x20-\x7e]/gu, '?');
  return ascii.length > maxLength ? `${ascii.slice(0, maxLength - 3)}...` : ascii;
}
