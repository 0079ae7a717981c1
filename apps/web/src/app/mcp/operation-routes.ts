import type { Operation } from '@touchstone/contract';
import type { RouteExports } from '../../api/route.ts';
import { leaderboardRoute, statsRoute } from '../../operations/routes/ranking-routes.ts';
import * as check from '../v1/check/route.ts';
import * as paymentStatus from '../v1/payment-status/route.ts';
import * as semanticSearch from '../v1/semantic-search/route.ts';
import * as similar from '../v1/similar/route.ts';
import * as watchCreation from '../v1/watch-endpoint-30d/route.ts';
import * as watchEvents from '../v1/watch/[id]/events/route.ts';
import * as watchRenewal from '../v1/watch/[id]/renew/route.ts';
import * as watch from '../v1/watch/[id]/route.ts';
import * as history from '../v1/x402-history/route.ts';
import * as summary from '../v1/x402-summary/route.ts';
import * as bulk10 from '../v1/x402-trust-bulk-10/route.ts';
import * as bulk50 from '../v1/x402-trust-bulk-50/route.ts';
import * as bulk100 from '../v1/x402-trust-bulk-100/route.ts';
import * as bulk200 from '../v1/x402-trust-bulk-200/route.ts';
import * as bulk500 from '../v1/x402-trust-bulk-500/route.ts';
import * as preview from '../v1/x402-trust-preview/route.ts';
import * as trustReport from '../v1/x402-trust/route.ts';

/** Route handlers of the operations that MCP tools call, by path. */
export const OPERATION_ROUTES: Readonly<Record<string, RouteExports>> = {
  '/v1/x402-trust': trustReport,
  '/v1/x402-history': history,
  '/v1/semantic-search': semanticSearch,
  '/v1/similar': similar,
  '/v1/x402-trust-bulk-10': bulk10,
  '/v1/x402-trust-bulk-50': bulk50,
  '/v1/x402-trust-bulk-100': bulk100,
  '/v1/x402-trust-bulk-200': bulk200,
  '/v1/x402-trust-bulk-500': bulk500,
  '/v1/watch-endpoint-30d': watchCreation,
  '/v1/watch/{id}/renew': watchRenewal,
  '/v1/watch/{id}/events': watchEvents,
  '/v1/watch/{id}': watch,
  '/v1/check': check,
  '/v1/x402-summary': summary,
  '/v1/payment-status': paymentStatus,
  '/v1/x402-trust-preview': preview,
  // The proxy rewrites these paths to pages or JSON, so no route file at these paths exports their handlers.
  '/trust/leaderboard': leaderboardRoute,
  '/trust/stats': statsRoute,
};

/**
 * Calls an operation with the handlers of its HTTP route, including their rate limiters and validation. The MCP server
 * calls the operations of its tools with this function.
 *
 * @param request Request for the path of the operation. Its method must be the method of the operation.
 * @returns The response of the HTTP route. Errors are problem documents.
 * @throws Error if no tool uses the operation.
 */
export async function callOperation(operation: Operation, request: Request): Promise<Response> {
  const handlers = OPERATION_ROUTES[operation.path];
  if (handlers === undefined) throw new Error(`No route is registered for the operation ${operation.id}`);
  return handlers[operation.method](request);
}
