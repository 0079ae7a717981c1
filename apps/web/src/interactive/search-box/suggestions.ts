import { formatCount, formatUsd } from '@touchstone/common';
import { formatGrade, describeRecommendation } from '@touchstone/ui';
import { toUrlText } from '../../page-parts/classify-query.ts';
import { NO_PARAMS, toExploreUrl } from '../explore/explore-params.ts';
import { toProviderPath } from '../../serving/known-pages/page-paths.ts';
import type { EndpointSuggestion, SearchSuggestions } from '../trpc/explore-router.ts';

/** Suggestion in the list below the search field. */
export interface Suggestion {
  /** URL of the page that the suggestion opens, relative to the site. */
  readonly href: string;
  readonly text: string;
  /** Further facts about the suggestion; empty if there are no further facts. Provider texts are unverified. */
  readonly note: string;
  /** Recommendation for an endpoint with its icon and color; absent for hosts and tags. */
  readonly verdict?: { readonly label: string; readonly path: string; readonly tone: string };
}

/** Suggestions of one kind, with a heading. */
export interface SuggestionGroup {
  readonly label: string;
  readonly items: readonly Suggestion[];
}

/**
 * Groups suggestions by their kind and adds the pages that they open. Empty groups are left out. Without a suggestion for
 * an endpoint, the last group leads to the explore page, which finds endpoints by meaning, or explains an unknown URL.
 *
 * @param text Text of the search field.
 */
export function toGroups(
  { endpoints, hosts, tags }: SearchSuggestions,
  text: string,
): readonly SuggestionGroup[] {
  const isUrl = toUrlText(text) !== null;
  const search = {
    href: toExploreUrl({ ...NO_PARAMS, text, sort: 'relevance' }),
    text: isUrl ? 'Is this URL monitored?' : `Search for “${text}”`,
    note: isUrl ? text : 'Endpoints that are nearest in meaning',
  };
  return [
    { label: 'Endpoints', items: endpoints.map(toEndpointSuggestion) },
    {
      label: 'Providers',
      items: hosts.map(({ host, endpoints: count }) => ({
        href: toProviderPath(host),
        text: host,
        note: countEndpoints(count),
      })),
    },
    {
      label: 'Tags',
      items: tags.map(({ tag, endpoints: count }) => ({
        href: toExploreUrl({ ...NO_PARAMS, tag }),
        text: tag,
        note: countEndpoints(count),
      })),
    },
    { label: 'Search', items: endpoints.length > 0 ? [] : [search] },
  ].filter(({ items }) => items.length > 0);
}

/** Formats the number of suggestions for screen readers. */
export function countSuggestions(groups: readonly SuggestionGroup[]): string {
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  return formatCount(count, 'suggestion');
}

function toEndpointSuggestion(endpoint: EndpointSuggestion): Suggestion {
  const { slug, resource, serviceName, grade, recommendation, amountUsd } = endpoint;
  const { label, path, tone } = describeRecommendation(recommendation);
  const details = [
    ...(grade === '?' ? [] : [formatGrade(grade)]),
    ...(amountUsd === null ? [] : [formatUsd(amountUsd)]),
    ...(serviceName === null ? [] : [serviceName]),
  ];
  return {
    href: `/endpoint/${slug}`,
    text: resource.replace(/^https:\/\//, ''),
    note: details.join(' · '),
    verdict: { label, path, tone },
  };
}

function countEndpoints(count: number): string {
  return formatCount(count, 'endpoint');
}

/** Time without typing after which suggestions are requested, in milliseconds. */
const DEBOUNCE_MS = 150;

/** Function that requests suggestions for a text. */
type RequestSuggestions = (text: string, signal: AbortSignal) => Promise<SearchSuggestions>;

/**
 * Waits for a pause in typing, then requests suggestions for a text and passes the suggestions to `show`. A failed
 * request shows nothing, because the search works without suggestions.
 *
 * @returns Function that cancels the request. After the cancellation, `show` is not called.
 */
export function loadSuggestions(
  text: string,
  request: RequestSuggestions,
  show: (suggestions: SearchSuggestions | null) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => {
    request(text, signal).then(
      (suggestions) => {
        if (!signal.aborted) show(suggestions);
      },
      () => {
        if (!signal.aborted) show(null);
      },
    );
  }, DEBOUNCE_MS);
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
