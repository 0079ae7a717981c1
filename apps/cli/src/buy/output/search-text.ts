import { MAX_RESULTS, MIN_SIMILARITY, semanticSearchSchema } from '@touchstone/contract';
import { z } from 'zod';
import { formatCount, formatSimilarity } from '../../terminal/format-figures.ts';
import { toPlainText } from '../../terminal/plain-text.ts';
import { joinSections, type TextStyle } from '../../terminal/text-style.ts';
import { wrap, wrapAnywhere } from '../../terminal/wrap.ts';
import { formatListItem, ITEM_INDENT } from './list-item.ts';
import { formatVerdictLine } from './verdict-line.ts';

/** Maximum printed length of a description, in UTF-16 units; `--json` prints all. */
const MAX_DESCRIPTION_CHARS = 300;

const { shape } = semanticSearchSchema;
/** Schema of a received search result. Unknown members are ignored, because newer services may add some. */
export const receivedSearchSchema = z.object({
  ...shape,
  matches: z.array(z.object(shape.matches.element.shape)).max(MAX_RESULTS),
});
/** A received search result. */
export type ReceivedSearch = z.infer<typeof receivedSearchSchema>;
type Match = ReceivedSearch['matches'][number];

/** Formats a search result: the number of matches, each match with its score and link, and a note on short results. */
export function formatSearch(
  { query, matches }: ReceivedSearch,
  { limit }: { readonly limit: number },
  style: TextStyle,
): string {
  const count = matches.length === 0 ? 'No matches' : formatMatchCount(matches.length);
  const heading = `${count} for "${toPlainText(query)}"`;
  return joinSections([
    wrapAnywhere(heading, '', style.width).map((line) => style.paint('bold', line)),
    ...matches.map((match, index) => formatMatch(match, index + 1, style)),
    wrap(explainCount(matches.length, limit), '', style.width),
  ]);
}

function formatMatchCount(count: number): string {
  return count === 1 ? '1 match' : `${String(count)} matches`;
}

function formatMatch(
  { resource, score, grade, similarity, description = '', endpointPage }: Match,
  rank: number,
  style: TextStyle,
): string[] {
  const text = toPlainText(description, MAX_DESCRIPTION_CHARS);
  // The quotation marks show that the text is from the provider, and no figure of the service.
  const lines = text === '' ? [] : wrapAnywhere(`"${text}"`, ITEM_INDENT, style.width);
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
