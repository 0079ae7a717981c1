export { CallError } from './register-tools.ts';
export { createMcpServerFactory } from './server.ts';
export type { McpServerOptions, ToolCall } from './options.ts';
