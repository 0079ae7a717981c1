export { CallError } from './register-tools.ts';
export { correctMessage } from './correct-message.ts';
export { createMcpServerFactory } from './server.ts';
export type { McpServerOptions, ToolCall } from './options.ts';
