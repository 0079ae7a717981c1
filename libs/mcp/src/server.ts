import { McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { createInstructions } from './instructions.ts';
import type { McpServerOptions } from './options.ts';
import { registerPrompts } from './prompts/should-i-pay.ts';
import { registerResources } from './resources/resources.ts';
import { registerTools } from './tools/register-tools.ts';

/** Time for which clients may keep lists and documents, in milliseconds. Only a new release changes them. */
const LIST_TTL_MS = 300_000;

const CACHE_HINT = { ttlMs: LIST_TTL_MS, cacheScope: 'public' } as const;

/**
 * Creates the factory of the MCP server, which serves the tools, resources and prompts of the service. HTTP entrances
 * call it once for each request, and stdio entrances once for each connection.
 */
export function createMcpServerFactory(options: McpServerOptions): McpServerFactory {
  return () => {
    const server = new McpServer(
      {
        name: 'touchstone',
        title: 'Touchstone',
        version: options.version,
        websiteUrl: new URL(options.baseUrl).origin,
      },
      {
        instructions: createInstructions(options.paymentInstruction),
        capabilities: {
          tools: { listChanged: false },
          resources: { listChanged: false },
          prompts: { listChanged: false },
        },
        cacheHints: {
          'tools/list': CACHE_HINT,
          'prompts/list': CACHE_HINT,
          'resources/list': CACHE_HINT,
          'resources/templates/list': CACHE_HINT,
          'resources/read': CACHE_HINT,
          'server/discover': CACHE_HINT,
        },
      },
    );
    registerTools(server, options);
    registerResources(server, options);
    registerPrompts(server);
    return server;
  };
}
