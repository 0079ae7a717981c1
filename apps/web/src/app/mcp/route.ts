import { route } from '../../api/route.ts';
import { createMcpRequestHandler } from '../../operations/mcp/handle-mcp.ts';
import { callOperation } from './operation-routes.ts';

export const dynamic = 'force-dynamic';

const handleMcp = createMcpRequestHandler(callOperation);

// Each message counts for the rate limit of MCP. The calls of tools also pass the rate limiters of their operations.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: handleMcp,
  POST: handleMcp,
  DELETE: handleMcp,
});
