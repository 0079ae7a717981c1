import { formatConfidence, formatNumber, formatScore } from '@touchstone/common';
import { isDeepStrictEqual } from 'node:util';
import { bulkSchema } from '@touchstone/contract';
import { z } from 'zod';
import type { Presentation } from '../buy/buy-and-print.ts';
import { GRADE_COLORS, RECOMMENDATION_COLORS } from '../results/verdict-text.ts';
import { MAX_URL_CHARS, type TextStyle, toPlainText } from '../terminal/text.ts';

/**
 * Reads a response with scores. Returns null unless the response has the scores of exactly the requested URLs, in the
 * requested order.
 */
export const readBulk: Presentation['readResult'] = (json, { values }) => {
  const { data } = receivedBulkSchema.safeParse(json);
  const resources = data?.results.map(({ resource }) => resource);
  if (data === undefined || !isDeepStrictEqual(resources, values['resources'])) return null;
  return { toText: (style) => formatBulk(data, style) };
};

const NOT_MEASURED = '–';

const { results } = bulkSchema.shape;
/** Schema of received scores. Unknown members are ignored, because newer services may add some. */
const receivedBulkSchema = z.object({
  results: z.array(z.object(results.element.shape)),
});
type ReceivedBulk = z.infer<typeof receivedBulkSchema>;
type Result = ReceivedBulk['results'][number];

const HEADING = formatColumns(['Grade', 'Score', 'Recommendation', 'Confidence', 'Delivery', 'URL']);

/** Formats scores as a table. The error flags of an endpoint are on a second line. The last line counts the results. */
export function formatBulk({ results: list }: ReceivedBulk, style: TextStyle): string {
  const found = list.filter((result) => result.found).length;
  const count = `${formatNumber(found)} of ${formatNumber(list.length)} URLs are in the catalog.`;
  return [
    style.paint('bold', HEADING),
    ...list.flatMap((result) => formatResult(result, style)),
    '',
    count,
    '',
  ].join('\n');
}

function formatResult(
  { resource, found, grade, score, recommendation, confidence, delivery, ...result }: Result,
  { paint }: TextStyle,
): string[] {
  const { error_flags: flags, schemeVariant } = result;
  const [gradeCell, scoreCell, recommendationCell, ...rest] = padColumns([
    grade ?? NOT_MEASURED,
    score === null || grade === '?' ? NOT_MEASURED : formatScore(score),
    found ? (recommendation ?? NOT_MEASURED) : 'not in catalog',
    confidence === null ? NOT_MEASURED : formatConfidence(confidence),
    delivery ?? NOT_MEASURED,
    toPlainText(resource, MAX_URL_CHARS),
  ]);
  const line = [
    grade === null ? gradeCell : paint(GRADE_COLORS[grade], gradeCell),
    scoreCell,
    recommendation === null
      ? paint('dim', recommendationCell)
      : paint(RECOMMENDATION_COLORS[recommendation], recommendationCell),
    ...rest,
  ].join('  ');
  if (schemeVariant !== null) {
    const variant = `in the catalog: ${toPlainText(schemeVariant, MAX_URL_CHARS)}`;
    return [line, formatColumns(['', '', '', '', '', variant])];
  }
  if (flags === null || flags.length === 0) return [line];
  const slugs = flags.map((slug) => toPlainText(slug, 64)).join(', ');
  return [line, paint('red', formatColumns(['', '', '', '', '', `✖ ${slugs}`]))];
}

type Cells = readonly [
  grade: string,
  score: string,
  recommendation: string,
  confidence: string,
  delivery: string,
  url: string,
];

function formatColumns(cells: Cells): string {
  return padColumns(cells).join('  ');
}

function padColumns([grade, score, recommendation, confidence, delivery, url]: Cells): Cells {
  return [
    ...([grade.padEnd(5), score.padStart(5), recommendation.padEnd(14)] as const),
    ...([confidence.padStart(10), delivery.padEnd(9), url] as const),
  ];
}
