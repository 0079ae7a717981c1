import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { TOOLS } from '@touchstone/contract';
import type { McpServerOptions } from '../options.ts';
import { catchCallError } from './call-error.ts';
import { callTool } from './call-tool.ts';
import { withProgress } from './progress.ts';
import { getAdvertisedSchemas } from './tool-schemas.ts';

/** Registers all tools of the contract. */
export function registerTools(server: McpServer, options: McpServerOptions): void {
  for (const tool of TOOLS) {
    const { name, title, description, annotations } = tool;
    const { input, output } = getAdvertisedSchemas(tool);
    server.registerTool(
      name,
      { title, description, annotations, inputSchema: input, outputSchema: output },
      (members, context: ServerContext) =>
        withProgress(tool, context, () =>
          catchCallError(() => callTool({ tool, members, context, options })),
        ),
    );
  }
}
