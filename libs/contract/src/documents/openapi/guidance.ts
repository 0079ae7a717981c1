import { OPERATIONS } from '../../operations/operations.ts';
import { summaryByUrlOperation } from '../../operations/endpoint-summary/operation.ts';
import type { Operation } from '../../operations/operation-model.ts';
import { DOCUMENT_PATHS, MCP_PATH, PAYMENTS_DISABLED } from '../../shared/service.ts';
import { USE_CASES } from '../llms-text.ts';

/**
 * Creates the default of `info.x-guidance`: a short text that tells an agent which operation to call first, and what
 * each operation costs. Agents add the text to their context before they call anything. `@agentcash/discovery` warns
 * about more than 4,000 characters.
 *
 * @param isSold false if the service takes no payments
 */
export function createGuidance(baseUrl: string, isSold: boolean): string {
  const { origin } = new URL(baseUrl);
  const paid = OPERATIONS.filter(({ priceUsd }) => priceUsd !== null);
  return [
    USE_CASES,
    [summaryByUrlOperation, ...(isSold ? paid : [])].map(formatPrice).join('\n'),
    isSold
      ? 'Prices are in US dollars per call, paid in USDC with x402 version 2, or with version 1 on networks that it knows, such as Base. Only a response with status 200 is charged.'
      : PAYMENTS_DISABLED,
    `Details: ${origin}${DOCUMENT_PATHS.llms}. MCP server with tools for endpoints and watches: ${origin}${MCP_PATH}.`,
  ].join('\n\n');
}

function formatPrice({ method, path, summary, priceUsd }: Operation): string {
  return `- ${method} ${path} (${priceUsd ?? 'free'}): ${summary}`;
}
