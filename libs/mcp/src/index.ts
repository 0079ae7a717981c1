export { createMcpServerFactory } from './server.ts';
export { ToolCallError, type McpServerOptions, type ToolCall } from './options.ts';
