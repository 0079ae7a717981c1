export { CallError } from './tools/call-error.ts';
export { createMcpServerFactory } from './server.ts';
export type { McpServerOptions, ToolCall } from './options.ts';
