import { formatUsd } from '@touchstone/common';
import { describeRecommendation, formatGrade, formatNetwork, MAX_QUERY_LENGTH } from '@touchstone/ui';
import {
  type ExploreParams,
  getDefaultSort,
  LISTING_LABELS,
  NO_PARAMS,
  PROPERTY_LABELS,
  SORT_LABELS,
  toListingValue,
} from './explore-params.ts';
import { MAX_TAG_LENGTH } from '@touchstone/x402/tags';
import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';

/** Active filter, and the page parameters without this filter. */
interface ActiveFilter {
  readonly label: string;
  readonly without: ExploreParams;
}

/** Lists the active filters in the order of the form. The text and the order are not filters. */
export function listActiveFilters(params: ExploreParams): readonly ActiveFilter[] {
  const first = { ...params, after: null };
  const { networks, grades, recommendations, properties, minPriceUsd, maxPriceUsd, host, tag, status } =
    params;
  const filters: ActiveFilter[] = [
    ...grades.map((grade) => ({
      label: formatGrade(grade),
      without: { ...first, grades: grades.filter((other) => other !== grade) },
    })),
    ...recommendations.map((recommendation) => ({
      label: describeRecommendation(recommendation).label,
      without: { ...first, recommendations: recommendations.filter((other) => other !== recommendation) },
    })),
    ...properties.map((property) => ({
      label: PROPERTY_LABELS[property],
      without: { ...first, properties: properties.filter((other) => other !== property) },
    })),
    ...networks.map((network) => ({
      label: formatNetwork(network),
      without: { ...first, networks: networks.filter((other) => other !== network) },
    })),
  ];
  if (minPriceUsd !== null)
    filters.push({ label: `From ${formatUsd(minPriceUsd)}`, without: { ...first, minPriceUsd: null } });
  if (maxPriceUsd !== null)
    filters.push({ label: `To ${formatUsd(maxPriceUsd)}`, without: { ...first, maxPriceUsd: null } });
  if (host !== null) filters.push({ label: host, without: { ...first, host: null } });
  if (tag !== null) filters.push({ label: `Tag ${tag}`, without: { ...first, tag: null } });
  if (status !== NO_PARAMS.status)
    filters.push({
      label: LISTING_LABELS[toListingValue(status)],
      without: { ...first, status: NO_PARAMS.status },
    });
  return filters;
}

/** Returns the parameters without filters. The text and the order stay. */
export function removeFilters({ text, sort }: ExploreParams): ExploreParams {
  return { ...NO_PARAMS, text, sort };
}

/** Title of the explore page, without the name of the site. */
export const EXPLORE_TITLE = 'Explore x402 endpoints';

/** Maximum number of filters that a title names. */
const MAX_TITLE_FILTERS = 3;

/**
 * Returns the title of a page, without the name of the site. The title names the search text, the first filters and the
 * order.
 */
export function getExploreTitle(params: ExploreParams): string {
  const { text, sort } = params;
  const filters = listActiveFilters(params).map(({ label }) => label);
  const rest = filters.length - MAX_TITLE_FILTERS;
  const details = filters.slice(0, MAX_TITLE_FILTERS);
  if (rest > 0) details.push(`${rest} more`);
  if (sort !== getDefaultSort(text)) details.push(`${SORT_LABELS[sort].toLowerCase()} first`);
  if (details.length === 0) return text === '' ? EXPLORE_TITLE : `Search for “${text}”`;
  return `${text === '' ? 'x402 endpoints' : `Search for “${text}”`}: ${details.join(', ')}`;
}

/** Ignored values of one parameter. */
interface IgnoredParam {
  readonly name: string;
  readonly values: readonly string[];
  /** Sentence that states the expected format. */
  readonly expected: string;
}

/** Name of a filter that is a text field. */
export type TextParam = 'min_price' | 'max_price' | 'host';

const EXPECTED_PRICE = 'Use a number of US dollars such as 0.05.';

const EXPECTED: ReadonlyMap<string, string> = new Map([
  ['q', `Use at most ${MAX_QUERY_LENGTH} characters.`],
  ['network', 'Use a CAIP-2 id such as eip155:8453.'],
  ['grade', `Use ${listValues(GRADES)}.`],
  ['recommendation', `Use ${listValues(RECOMMENDATIONS)}.`],
  ['min_price', EXPECTED_PRICE],
  ['max_price', EXPECTED_PRICE],
  ['host', 'Use a host such as api.example.com.'],
  ['tag', `Use at most ${MAX_TAG_LENGTH} characters.`],
  ['property', `Use ${listValues(Object.keys(PROPERTY_LABELS))}.`],
  ['status', `Use ${listValues(Object.keys(LISTING_LABELS))}.`],
  ['sort', `Use ${listValues(Object.keys(SORT_LABELS))}.`],
  ['after', 'Use the link to the next page. The first page is shown.'],
]);

/** Groups ignored values such as `grade=Z` by parameter, and adds the expected format of each parameter. */
export function groupIgnored(ignored: readonly string[]): readonly IgnoredParam[] {
  const groups = new Map<string, string[]>();
  for (const text of ignored) {
    const [name, value] = splitPair(text);
    groups.set(name, [...(groups.get(name) ?? []), value]);
  }
  return [...groups].map(([name, values]) => ({ name, values, expected: EXPECTED.get(name) ?? '' }));
}

/** Returns the ignored value of a text field with its expected format; null if the value is valid or empty. */
export function findIgnored(ignored: readonly string[], name: TextParam): FieldError | null {
  const pair = ignored.map(splitPair).find(([each]) => each === name);
  if (pair === undefined) return null;
  // A long value was cut for the page. The form must not send the cut value, so the field stays empty.
  return { value: pair[1].endsWith('…') ? '' : pair[1], expected: EXPECTED.get(name) ?? '' };
}

/** Value of a text field that is not valid. */
interface FieldError {
  readonly value: string;
  /** Sentence that states the expected format. */
  readonly expected: string;
}

function splitPair(text: string): readonly [name: string, value: string] {
  const index = text.indexOf('=');
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

/** Joins values with commas and `or`, for example "A, B or C". */
function listValues(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
}
