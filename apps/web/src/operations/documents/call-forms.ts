import { TOOLS, type Operation } from '@touchstone/contract';
import { DEFAULT_NETWORK } from '@touchstone/x402/networks';
import { formatCliCommand } from './cli-command.ts';
import { type ExampleOptions, createCodeExamples, quoteForShell } from './code-examples.ts';

/** Example of a call of an operation: a program, a command or a message. */
export interface CallForm {
  readonly name: 'CLI' | 'TypeScript' | 'MCP' | 'curl';
  readonly code: string;
}

/** Service and endpoint of a call. */
export interface CallOptions extends ExampleOptions {
  /** URL of the endpoint. */
  readonly resource: string;
}

/** Creates the call of the trust report on an endpoint in four forms. The last form, curl, only shows the price. */
export function createReportCalls(operation: Operation, options: CallOptions): readonly CallForm[] {
  const examples = createCodeExamples(operation, options);
  const createExample = (name: 'TypeScript' | 'curl'): readonly CallForm[] =>
    examples.flatMap(({ language, code }) => (language === name ? [{ name, code }] : []));
  return [
    { name: 'CLI', code: formatReportCommand(options) },
    ...createExample('TypeScript'),
    { name: 'MCP', code: formatToolCall(operation, { resource: options.resource }) },
    ...createExample('curl'),
  ];
}

function formatReportCommand({ baseUrl, network, resource }: CallOptions): string {
  const words = ['buy', 'trust', quoteForShell(resource)];
  return formatCliCommand(baseUrl, network === DEFAULT_NETWORK ? words : [...words, '--network', network]);
}

/**
 * Formats the message that calls the MCP tool of an operation.
 *
 * @throws Error if the operation has no tool.
 */
function formatToolCall({ id }: Operation, input: Readonly<Record<string, unknown>>): string {
  const tool = TOOLS.find(({ operations }) => operations.some((operation) => operation.id === id));
  if (tool === undefined) throw new Error(`No tool has the operation ${id}`);
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool.name, arguments: input },
  };
  return JSON.stringify(message, null, 2);
}
