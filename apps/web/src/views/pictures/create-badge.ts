import { formatDay, formatScore } from '@touchstone/common';
import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import type { EndpointCheck } from '@touchstone/contract/operations/check/response';
import type { Snapshot } from '@touchstone/store';
import {
  RECOMMENDATION_TEXT_COLOR,
  formatGrade,
  formatVerdict,
  describeRecommendation,
} from '@touchstone/ui';
import { describeOutcome, OUTCOME_LABELS } from '../check/outcomes.ts';

const NAME = 'Touchstone';
/**
 * Average width of a character at 11 px, in pixels. The attribute `textLength` gives a text the computed width in every
 * font.
 */
const CHARACTER_WIDTH = 6.5;
/** Space beside a text, in pixels. */
const PADDING = 8;

/** Width of the left part, in pixels. The left part has the name of the service. */
const LEFT_WIDTH = measure(NAME) + 2 * PADDING;

/**
 * Width and height of the badge of every endpoint, in pixels. All of them have the same size, so that a page with a
 * badge can state the size and keeps its layout when the grade changes.
 */
export const BADGE_SIZE = createSize(
  GRADES.flatMap((grade) =>
    RECOMMENDATIONS.map((recommendation) => formatVerdict({ grade, recommendation })),
  ),
);

/** Text of the badge without a check in the last 24 hours. */
const NO_CHECK = 'No check today';

/**
 * Creates the badge of an endpoint as an SVG image: its recommendation in the color of the recommendation, and its
 * grade. The image contains only texts of this service, because the texts of endpoints are untrusted. Its title has the
 * recommendation, the grade and, with a grade, the score.
 */
export function createBadge({
  grade,
  score,
  recommendation,
}: Pick<Snapshot, 'grade' | 'score' | 'recommendation'>): string {
  const { label, color } = describeRecommendation(recommendation);
  const points = grade === '?' ? '' : `, trust score ${formatScore(score)} of 100`;
  return drawBadge({
    title: `${NAME}: recommendation ${label}, ${formatGrade(grade)}${points}`,
    text: formatVerdict({ grade, recommendation }),
    ...{ color, size: BADGE_SIZE },
  });
}

/** Size of the badge of a check, in pixels: the text is the label of an outcome and a day. */
export const CHECK_BADGE_SIZE = createSize([
  ...OUTCOME_LABELS.map((label) => formatResult(label, formatDay(0))),
  NO_CHECK,
]);

/** Creates the badge of the latest check of a URL. It contains only texts of this service. */
export function createCheckBadge(
  check: Pick<EndpointCheck, 'outcome' | 'faults' | 'checkedAt'> | null,
): string {
  const size = CHECK_BADGE_SIZE;
  if (check === null)
    return drawBadge({ title: `${NAME}: ${NO_CHECK}`, text: NO_CHECK, color: '#3d464b', size });
  const { label, color } = describeOutcome(check);
  const text = formatResult(label, formatDay(check.checkedAt));
  return drawBadge({ title: `${NAME} check: ${text}`, ...{ text, color, size } });
}

function formatResult(label: string, day: string): string {
  return `${label} · ${day}`;
}

interface Badge {
  readonly title: string;
  /** Text of the right part. */
  readonly text: string;
  /** Background of the right part. */
  readonly color: string;
  readonly size: { readonly width: number; readonly height: number };
}

function drawBadge({ title, text, color, size: { width, height } }: Badge): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${title}</title>`,
    `<rect width="${width}" height="${height}" rx="3" fill="#1c2124"/>`,
    // The right part has round corners on its right side only.
    `<path d="M${LEFT_WIDTH} 0h${width - LEFT_WIDTH - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${width - LEFT_WIDTH - 3}z" fill="${color}"/>`,
    // The edge separates the badge from a page with the same color.
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="2.5" fill="none" stroke="#7b858a"/>`,
    '<g font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" aria-hidden="true">',
    formatText(NAME, { x: PADDING, fill: '#eef0eb' }),
    formatText(text, {
      x: LEFT_WIDTH + (width - LEFT_WIDTH - measure(text)) / 2,
      fill: RECOMMENDATION_TEXT_COLOR,
    }),
    '</g>',
    '</svg>',
  ].join('');
}

/** Returns the size of a badge whose right part fits each of the given texts. */
function createSize(texts: readonly string[]) {
  return { width: LEFT_WIDTH + Math.max(...texts.map(measure)) + 2 * PADDING, height: 20 } as const;
}

/** Returns the width of a text, in pixels. */
function measure(text: string): number {
  return Math.ceil(text.length * CHARACTER_WIDTH);
}

function formatText(text: string, { x, fill }: { readonly x: number; readonly fill: string }): string {
  return `<text x="${x}" y="14" textLength="${measure(text)}" fill="${fill}">${text}</text>`;
}
