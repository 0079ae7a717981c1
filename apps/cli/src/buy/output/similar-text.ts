import { MAX_RESULTS, MIN_ALTERNATIVE_SIMILARITY, similarSchema } from '@touchstone/contract';
import { z } from 'zod';
import { formatCount, formatNumber, formatSimilarity, formatUsd } from '../../terminal/format-figures.ts';
import { toPlainText } from '../../terminal/plain-text.ts';
import { joinSections, type TextStyle } from '../../terminal/text-style.ts';
import { wrap, wrapAnywhere } from '../../terminal/wrap.ts';
import { formatListItem, ITEM_INDENT } from './list-item.ts';
import { formatVerdictLine } from './verdict-line.ts';

const { shape } = similarSchema;
/** Schema of a received list of alternatives. Unknown members are ignored, because newer services may add some. */
export const receivedSimilarSchema = z.object({
  ...shape,
  subject: z.object(shape.subject.shape),
  alternatives: z.array(z.object(shape.alternatives.element.shape)).max(MAX_RESULTS),
});
/** A received list of alternatives. */
export type ReceivedSimilar = z.infer<typeof receivedSimilarSchema>;
type Subject = ReceivedSimilar['subject'];
type Alternative = ReceivedSimilar['alternatives'][number];

/** The request of a list, and the command to run when the list is empty. */
export interface SimilarQuestion {
  readonly limit: number;
  /** Points that an alternative must have more than the subject. */
  readonly minScoreDelta: number;
  /** Command line that requests alternatives with a difference of at least 0 points. */
  readonly retryLine: string;
}

/** Formats a list of alternatives: the endpoint with its verdict first, then each alternative, or why there is none. */
export function formatSimilar(
  { subject, alternatives }: ReceivedSimilar,
  question: SimilarQuestion,
  style: TextStyle,
): string {
  const advantage = describeAdvantage(subject, question.minScoreDelta);
  const { length } = alternatives;
  return joinSections([
    formatSubject(subject, style),
    ...(length === 0
      ? formatNone(advantage, question, style)
      : [
          wrap(`${formatAlternativeCount(length)}, with ${advantage}`, '', style.width),
          ...alternatives.map((alternative, index) => formatAlternative(alternative, index + 1, style)),
          length < question.limit
            ? wrap(`There are no further alternatives. ${EXPLANATION}`, '', style.width)
            : [],
        ]),
  ]);
}

const EXPLANATION = `Endpoints less than ${formatSimilarity(MIN_ALTERNATIVE_SIMILARITY)} similar, and those to avoid, are left out.`;

function formatAlternativeCount(count: number): string {
  return count === 1 ? '1 alternative on another host' : `${String(count)} alternatives on other hosts`;
}

/** Formats the endpoint that the alternatives are compared with. */
function formatSubject(subject: Subject, { paint, width }: TextStyle): string[] {
  const { resource, score, endpointPage } = subject;
  const verdict =
    score === null
      ? wrap('It is not in the catalog, so it is compared with a score of 0.', '', width)
      : [formatVerdictLine(subject, paint)];
  return [
    paint('bold', toPlainText(resource, 3_000)),
    ...verdict,
    ...(endpointPage === null ? [] : [paint('dim', toPlainText(endpointPage, 3_000))]),
  ];
}

function describeAdvantage({ score }: Subject, minScoreDelta: number): string {
  if (score === null) return `a score of at least ${formatNumber(minScoreDelta)}`;
  return minScoreDelta === 0
    ? 'at least the same score'
    : `at least ${formatCount(minScoreDelta, 'point')} more`;
}

function formatAlternative(
  { similarity, amountUsd, network, ...alternative }: Alternative,
  rank: number,
  style: TextStyle,
): string[] {
  const price = amountUsd === null ? 'no known price' : formatUsd(amountUsd);
  const place = network === null ? '' : ` on ${toPlainText(network, 60)}`;
  const facts = `${formatSimilarity(similarity)} similar, ${price}${place}`;
  return formatListItem(
    {
      rank,
      verdict: formatVerdictLine(alternative, style.paint),
      resource: alternative.resource,
      details: wrapAnywhere(facts, ITEM_INDENT, style.width),
      endpointPage: alternative.endpointPage,
    },
    style,
  );
}

/** Formats an empty list, which is a valid result, and names a command that may find more. */
function formatNone(
  advantage: string,
  { minScoreDelta, retryLine }: SimilarQuestion,
  { paint, width }: TextStyle,
): string[][] {
  const sentence =
    `No listed endpoint on another host does the same with ${advantage}. ` +
    `This result is complete. ${EXPLANATION}`;
  const [advice, line] =
    minScoreDelta === 0
      ? ['To search by a description instead:', 'touchstone search "what the endpoint should do"']
      : ['To find alternatives with a smaller advantage:', retryLine];
  return [wrap(sentence, '', width), [...wrap(advice, '', width), `  ${paint('bold', line)}`]];
}
