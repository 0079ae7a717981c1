import type { Operation } from '@touchstone/contract';
import { paidRoute } from './routes/paid-route.ts';
import { previewRoute } from './routes/preview-route.ts';
import { leaderboardRoute, statsRoute } from './routes/ranking-routes.ts';
import type { RouteExports } from '../api/route.ts';
import { endpointSummaryRoute, summaryRoute } from './routes/summary-routes.ts';
import { watchEventsRoute, watchRoute } from './routes/watch-routes.ts';
import { createBulkOperation } from './bulk-operations.ts';
import { historyOperation, trustOperation } from './paid-operations.ts';
import { alternativesOperation, searchOperation } from './search-operations.ts';
import { createWatchOperation, renewWatchOperation } from './watch-operations.ts';

/** Route handlers of the operations by operation id. Operations on the same path share their handlers. */
export const OPERATION_ROUTES = {
  getTrustReport: paidRoute(trustOperation),
  getHistory: paidRoute(historyOperation),
  searchEndpoints: paidRoute(searchOperation),
  findAlternatives: paidRoute(alternativesOperation),
  getTrustBulk10: paidRoute(createBulkOperation(10)),
  getTrustBulk50: paidRoute(createBulkOperation(50)),
  getTrustBulk100: paidRoute(createBulkOperation(100)),
  getTrustBulk200: paidRoute(createBulkOperation(200)),
  getTrustBulk500: paidRoute(createBulkOperation(500)),
  createWatch: paidRoute(createWatchOperation),
  renewWatch: paidRoute(renewWatchOperation),
  readWatchEvents: watchEventsRoute,
  getWatch: watchRoute,
  editWatch: watchRoute,
  cancelWatch: watchRoute,
  findEndpointSummary: summaryRoute,
  getEndpointSummary: endpointSummaryRoute,
  getTrustPreview: previewRoute,
  getLeaderboard: leaderboardRoute,
  getStats: statsRoute,
} as const satisfies Readonly<Record<string, RouteExports>>;

const routes: ReadonlyMap<string, RouteExports> = new Map(Object.entries(OPERATION_ROUTES));

/**
 * Calls an operation with the handlers of its HTTP route, including their rate limiters and validation. The MCP server
 * calls the operations of its tools with this function.
 *
 * @param request Request for the path of the operation. Its method must be the method of the operation.
 * @returns The response of the HTTP route. Errors are problem documents.
 * @throws Error if no tool uses the operation.
 */
export async function callOperation(operation: Operation, request: Request): Promise<Response> {
  const handlers = routes.get(operation.id);
  if (handlers === undefined) throw new Error(`No route is registered for the operation ${operation.id}`);
  return handlers[operation.method](request);
}
