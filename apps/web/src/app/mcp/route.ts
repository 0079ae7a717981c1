import { route } from '../../api/route.ts';
import { createMcpRequestHandler } from '../../operations/mcp/handle-mcp.ts';
import { callOperation } from './operation-routes.ts';

export const dynamic = 'force-dynamic';

const handleMcp = createMcpRequestHandler(callOperation);

// The calls of tools pass the rate limiters of their operations. All other messages are answered from memory.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: handleMcp,
  POST: handleMcp,
  DELETE: handleMcp,
});
