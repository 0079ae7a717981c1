import { formatConfidence, formatCount, formatUsd } from '@touchstone/common';
import { MAX_RESULTS, MIN_SIMILARITY, semanticSearchSchema, similarSchema } from '@touchstone/contract';
import { z } from 'zod';
import {
  formatSimilarity,
  joinSections,
  MAX_URL_CHARS,
  type TextStyle,
  toPlainText,
  wrap,
  wrapAnywhere,
} from '../terminal/text.ts';
import { formatVerdictLine } from './verdict-text.ts';

/** Indent of the second and later lines of a list item, as wide as the widest rank: `25. `. */
const ITEM_INDENT = '    ';

interface ListItem {
  /** Position in the list, from 1. */
  readonly rank: number;
  /** First line of the item. The line may be colored, and contains no untrusted control characters. */
  readonly verdict: string;
  /** Untrusted URL of the endpoint. */
  readonly resource: string;
  /** Further lines about the endpoint, wrapped and indented. */
  readonly details: readonly string[];
  /** Untrusted URL of the page about the endpoint. */
  readonly endpointPage: string;
}

/** Formats an endpoint in a list. URLs are on separate lines and not wrapped, so that they can be copied. */
function formatListItem(
  { rank, verdict, resource, details, endpointPage }: ListItem,
  { paint }: TextStyle,
): string[] {
  return [
    `${`${String(rank)}.`.padStart(ITEM_INDENT.length - 1)} ${verdict}`,
    ITEM_INDENT + paint('bold', toPlainText(resource, MAX_URL_CHARS)),
    ...details,
    ITEM_INDENT + paint('dim', toPlainText(endpointPage, MAX_URL_CHARS)),
  ];
}

/** Maximum printed length of a description, in UTF-16 units; `--json` prints all. */
const MAX_DESCRIPTION_CHARS = 300;

const { shape: searchShape } = semanticSearchSchema;
/** Schema of a received search result. Unknown members are ignored, because newer services may add some. */
export const receivedSearchSchema = z.object({
  ...searchShape,
  matches: z.array(z.object(searchShape.matches.element.shape)).max(MAX_RESULTS),
});
export type ReceivedSearch = z.infer<typeof receivedSearchSchema>;
type Match = ReceivedSearch['matches'][number];

export function formatSearch(
  { query, matches }: ReceivedSearch,
  { limit }: { readonly limit: number },
  style: TextStyle,
): string {
  const { length } = matches;
  const count = length === 1 ? '1 match' : `${length === 0 ? 'No' : String(length)} matches`;
  const heading = `${count} for "${toPlainText(query)}"`;
  return joinSections([
    wrapAnywhere(heading, '', style.width).map((line) => style.paint('bold', line)),
    ...matches.map((match, index) => formatMatch(match, index + 1, style)),
    wrap(explainCount(length, limit), '', style.width),
  ]);
}

function formatMatch(
  { resource, score, grade, confidence, similarity, description = '', endpointPage }: Match,
  rank: number,
  style: TextStyle,
): string[] {
  const text = toPlainText(description, MAX_DESCRIPTION_CHARS);
  // The quotation marks show that the provider wrote the text.
  const facts = confidence === null ? '' : `confidence ${formatConfidence(confidence)}`;
  const lines = [text === '' ? '' : `"${text}"`, facts].flatMap((line) =>
    line === '' ? [] : wrapAnywhere(line, ITEM_INDENT, style.width),
  );
  const verdict = `${formatSimilarity(similarity)} similar   ${formatVerdictLine({ grade, score }, style.paint)}`;
  return formatListItem({ rank, verdict, resource, details: lines, endpointPage }, style);
}

/** Explains why there are fewer matches than the limit. Returns an empty text when the limit is reached. */
function explainCount(count: number, limit: number): string {
  const floor = formatSimilarity(MIN_SIMILARITY);
  if (count === 0)
    return `Endpoints less than ${floor} similar are left out. Describe in other words what the endpoint should do.`;
  return count < limit
    ? `Fewer than ${formatCount(limit, 'endpoint')}: matches less than ${floor} similar are left out.`
    : '';
}

const { shape: similarShape } = similarSchema;
/** Schema of a received list of alternatives. Unknown members are ignored, because newer services may add some. */
export const receivedSimilarSchema = z.object({
  ...similarShape,
  subject: z.object(similarShape.subject.shape),
  alternatives: z.array(z.object(similarShape.alternatives.element.shape)).max(MAX_RESULTS),
});
export type ReceivedSimilar = z.infer<typeof receivedSimilarSchema>;
type Subject = ReceivedSimilar['subject'];
type Alternative = ReceivedSimilar['alternatives'][number];

/** Limits of a request for alternatives, and the command to run when the list of alternatives is empty. */
interface SimilarQuestion {
  readonly limit: number;
  /** Minimum difference between the score of an alternative and the score of the endpoint, in points. */
  readonly minScoreDelta: number;
  /** Command line that requests alternatives with a difference of at least 0 points. */
  readonly retryLine: string;
}

export function formatSimilar(
  { subject, withinDelta, alternatives }: ReceivedSimilar,
  question: SimilarQuestion,
  style: TextStyle,
): string {
  const advantage = describeAdvantage(question.minScoreDelta);
  const { length } = alternatives;
  return joinSections([
    formatSubject(subject, style),
    ...(length === 0
      ? formatNone(advantage, { ...question, withinDelta }, style)
      : [
          wrap(`${formatAlternativeCount(length)}, with ${advantage}`, '', style.width),
          ...alternatives.map((alternative, index) => formatAlternative(alternative, index + 1, style)),
          length < question.limit
            ? wrap(`There are no further alternatives. ${EXPLANATION}`, '', style.width)
            : [],
        ]),
  ]);
}

const EXPLANATION = 'Endpoints that do another job, and those to avoid, are left out.';

function formatAlternativeCount(count: number): string {
  return count === 1 ? '1 alternative on another host' : `${String(count)} alternatives on other hosts`;
}

function formatSubject(subject: Subject, { paint }: TextStyle): string[] {
  const { resource, endpointPage } = subject;
  return [
    paint('bold', toPlainText(resource, 3_000)),
    formatVerdictLine(subject, paint),
    paint('dim', toPlainText(endpointPage, 3_000)),
  ];
}

function describeAdvantage(minScoreDelta: number): string {
  return minScoreDelta === 0
    ? 'at least the same score'
    : `at least ${formatCount(minScoreDelta, 'point')} more`;
}

function formatAlternative(
  { similarity, confidence, amountUsd, network, ...alternative }: Alternative,
  rank: number,
  style: TextStyle,
): string[] {
  const price = amountUsd === null ? 'no known price' : formatUsd(amountUsd);
  const place = network === null ? '' : ` on ${toPlainText(network, 60)}`;
  const facts = [
    `${formatSimilarity(similarity)} similar`,
    `confidence ${formatConfidence(confidence)}`,
    `${price}${place}`,
  ].join(', ');
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
  { retryLine, withinDelta }: SimilarQuestion & Pick<ReceivedSimilar, 'withinDelta'>,
  { paint, width }: TextStyle,
): string[][] {
  const sentence =
    `No listed endpoint on another host does the same with ${advantage}. ` +
    `This result is complete. ${EXPLANATION}`;
  const [advice, line] =
    withinDelta === 0
      ? ['To search by a description instead:', 'touchstone search "what the endpoint should do"']
      : [
          `Number of alternatives with at least the same score: ${String(withinDelta)}. To find them:`,
          retryLine,
        ];
  return [wrap(sentence, '', width), [...wrap(advice, '', width), `  ${paint('bold', line)}`]];
}
