export { CallError } from './tools/register-tools.ts';
export { createMcpServerFactory } from './server.ts';
export type { McpServerOptions, ToolCall } from './options.ts';
