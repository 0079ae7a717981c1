import { BULK_EXAMPLE } from '../examples/bulk.ts';
import { BULK_SIZES, toBulkPath, type BulkSize } from '../requests/bulk-requests.ts';
import type { OperationCommand } from './command.ts';
import type { Operation } from './operation.ts';
import { BODY, createPayload, createRequestBody, DATABASE, PAID } from './payloads.ts';

/** Prices of the bulk operations in US dollars, by their maximum number of URLs. */
const PRICES_USD: Readonly<Record<BulkSize, string>> = {
  10: '0.045000',
  50: '0.200000',
  100: '0.325000',
  200: '0.400000',
  500: '0.500000',
};

const { count, found, results } = BULK_EXAMPLE;

const COMMAND: OperationCommand = {
  name: 'bulk',
  summary: 'Buys the scores of a list of endpoints with a wallet through x402.',
  argument: {
    member: 'resources',
    name: 'file',
    text: 'file with the URLs of the endpoints; - reads standard input',
  },
  options: [],
  maxUsd: '0.50',
  product: null,
  examples: [
    'touchstone bulk --sandbox urls.txt',
    `touchstone search --yes --json "weather" | jq '[.matches[].resource]' | touchstone bulk --yes -`,
    `touchstone bulk --yes --json urls.txt | jq -r '.results[] | select(.grade == "A") | .resource'`,
  ],
};

function createBulkOperation(size: BulkSize): Operation {
  return {
    id: `getTrustBulk${String(size)}`,
    method: 'POST',
    path: toBulkPath(size),
    parameters: [],
    priceUsd: PRICES_USD[size],
    security: 'none',
    summary: `Trust scores of up to ${String(size)} x402 endpoints`,
    description: `Score, grade, recommendation, confidence and error flags of up to ${String(size)} endpoints of the catalog, in the order of the request. The scores are stored ones: no endpoint is probed, and the response has the times of the latest probe and score. URLs that are not in the catalog have found: false. If none of the URLs is in the catalog, nothing is charged.`,
    tags: ['trust'],
    requestBody: createRequestBody(`x402-trust-bulk-${size}-request`, true),
    response: createPayload('x402-trust-bulk'),
    hasHtmlPage: false,
    isCacheableDocument: false,
    outputExample: { count, found, results: results.slice(0, 1) },
    problems: [...BODY, ...PAID, 'unknown-resource', ...DATABASE],
    command: COMMAND,
  };
}

/** Operations that sell the scores of many endpoints, in ascending order of their size. */
export const BULK_OPERATIONS: readonly Operation[] = BULK_SIZES.map(createBulkOperation);
