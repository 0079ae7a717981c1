import { route } from '../../api/route.ts';
import { handleMcp } from '../../operations/mcp/handle-mcp.ts';

export const dynamic = 'force-dynamic';

// The calls of tools pass the rate limiters of their operations. All other messages are answered from memory.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: handleMcp,
  POST: handleMcp,
  DELETE: handleMcp,
});
