import type { Snapshot } from '@touchstone/store';
import { formatGrade, formatScore, getRecommendationText } from '@touchstone/ui';
import { GRADE_COLORS } from './grade-colors.ts';

const NAME = 'Touchstone';
const HEIGHT = 20;
/** Average width of a character at 11 px, in pixels. `textLength` fits the text to it in every font. */
const CHARACTER_WIDTH = 6.5;
/** Space beside a text, in pixels. */
const PADDING = 8;

/**
 * Creates the badge of an endpoint as an SVG image: its grade, and the recommendation if it is `avoid`. The image
 * contains only texts of this service, because the texts of endpoints are untrusted. Its title has the score and the
 * recommendation.
 */
export function createBadge({
  grade,
  score,
  recommendation,
}: Pick<Snapshot, 'grade' | 'score' | 'recommendation'>): string {
  const { label } = getRecommendationText(recommendation);
  const verdict = formatVerdict({ grade, recommendation });
  const title = `${NAME}: ${formatGrade(grade)}, trust score ${formatScore(score)} of 100, recommendation ${label}`;
  const left = measure(NAME);
  const { width } = getBadgeSize({ grade, recommendation });
  const { plate, text } = GRADE_COLORS[grade];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-labelledby="title">`,
    `<title id="title">${title}</title>`,
    `<rect width="${width}" height="${HEIGHT}" rx="3" fill="#1c2124"/>`,
    // The right part has round corners on its right side only.
    `<path d="M${left} 0h${width - left - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${width - left - 3}z" fill="${plate}"/>`,
    // The edge separates the badge from a page with the same color.
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${HEIGHT - 1}" rx="2.5" fill="none" stroke="#7b858a"/>`,
    '<g font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" aria-hidden="true">',
    formatText(NAME, { x: PADDING, fill: '#eef0eb' }),
    formatText(verdict, { x: left + PADDING, fill: text }),
    '</g>',
    '</svg>',
  ].join('');
}

/** Returns width and height of the badge of an endpoint, in pixels. */
export function getBadgeSize(verdict: Pick<Snapshot, 'grade' | 'recommendation'>) {
  return { width: measure(NAME) + measure(formatVerdict(verdict)), height: HEIGHT };
}

function formatVerdict({ grade, recommendation }: Pick<Snapshot, 'grade' | 'recommendation'>): string {
  const { label } = getRecommendationText(recommendation);
  return recommendation === 'avoid' ? `${formatGrade(grade)} · ${label}` : formatGrade(grade);
}

/** Returns the width of a part of the badge with this text, in pixels. */
function measure(text: string): number {
  return Math.ceil(text.length * CHARACTER_WIDTH) + 2 * PADDING;
}

function formatText(text: string, { x, fill }: { readonly x: number; readonly fill: string }): string {
  return `<text x="${x}" y="14" textLength="${measure(text) - 2 * PADDING}" fill="${fill}">${text}</text>`;
}
