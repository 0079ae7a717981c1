import type { SemanticSearch, Similar } from '../responses/search.ts';
import type { SemanticSearchRequest, SimilarRequest } from '../requests/search-requests.ts';
import { TRUST_REPORT_EXAMPLE as report } from './trust-report.ts';

/** Endpoint that an alternative exists for. It is also a match of the search. */
const avoided = {
  resource: 'https://data.example.net/weather/current',
  score: 41.2,
  grade: 'D',
  endpointPage: 'https://touchstone.example/endpoint/data-example-net-weather-current-klmnopqrst',
} as const;

export const SEMANTIC_SEARCH_REQUEST_EXAMPLE: SemanticSearchRequest = {
  query: 'weather forecast for a city',
  limit: 10,
};

/** Matches of the example request: a described, a badly scored, and an unscored endpoint without a description. */
export const SEMANTIC_SEARCH_EXAMPLE: SemanticSearch = {
  query: SEMANTIC_SEARCH_REQUEST_EXAMPLE.query,
  count: 3,
  matches: [
    {
      id: report.endpointId,
      resource: report.resource,
      score: report.score,
      grade: 'A',
      similarity: 0.8214,
      description: 'Current weather and a seven-day forecast for any city.',
      endpointPage: report.endpointPage,
    },
    {
      id: 'klmnopqrst',
      ...avoided,
      similarity: 0.7486,
      description: 'Weather conditions by city name.',
    },
    {
      id: 'uvwxyzabcd',
      resource: 'https://meteo.example.org/v2/forecast',
      score: null,
      grade: null,
      similarity: 0.6127,
      endpointPage: 'https://touchstone.example/endpoint/meteo-example-org-forecast-uvwxyzabcd',
    },
  ],
};

export const SIMILAR_REQUEST_EXAMPLE: SimilarRequest = {
  resource: avoided.resource,
  limit: 5,
  minScoreDelta: 5,
};

/** Alternative to an endpoint with the recommendation avoid. */
export const SIMILAR_EXAMPLE: Similar = {
  resource: avoided.resource,
  subject: { ...avoided, recommendation: 'avoid' },
  count: 1,
  alternatives: [
    {
      resource: report.resource,
      score: report.score,
      grade: 'A',
      recommendation: report.recommendation,
      similarity: 0.8671,
      amountUsd: '0.010000',
      network: 'eip155:8453',
      endpointPage: report.endpointPage,
    },
  ],
};
