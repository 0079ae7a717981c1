import type { Operation } from '../operations/operation-model.ts';
import { getArgumentName, pickMembers, SECRET_MEMBER, type Tool } from './tools.ts';

/** HTTP request of a tool call. */
export interface ToolRequest {
  readonly operation: Operation;
  readonly method: string;
  /** Path with the values of its parameters, percent-encoded. */
  readonly path: string;
  /** Query parameters by name. The values are not percent-encoded. */
  readonly query: Readonly<Record<string, string>>;
  /** JSON body; undefined for an operation without a body. */
  readonly body: unknown;
  /** Bearer secret; null for an operation that needs none. */
  readonly secret: string | null;
}

/**
 * Creates the HTTP request of a tool call.
 *
 * @param input arguments of the call, as parsed with `tool.input`
 * @throws TypeError if no operation of the tool accepts the input. Then the input was not parsed.
 */
export function toToolRequest(tool: Tool, input: Readonly<Record<string, unknown>>): ToolRequest {
  for (const operation of tool.operations) {
    const body = readBody(operation, input);
    if (operation.requestBody !== null && !operation.requestBody.schema.safeParse(body).success) continue;
    const secret = operation.security === 'bearer' ? input[SECRET_MEMBER] : null;
    return {
      operation,
      method: operation.method,
      path: fillPath(operation, input),
      query: readQuery(operation, input),
      body,
      secret: typeof secret === 'string' ? secret : null,
    };
  }
  throw new TypeError(`No operation of the tool ${tool.name} accepts this input. Parse it with its schema.`);
}

/** Returns the input members that belong to the request body; undefined for an operation without a body. */
function readBody({ requestBody, parameters }: Operation, input: Readonly<Record<string, unknown>>): unknown {
  if (requestBody === null) return undefined;
  const others = new Set([...parameters.map(getArgumentName), SECRET_MEMBER]);
  return pickMembers(
    input,
    Object.keys(input).filter((name) => !others.has(name)),
  );
}

function readQuery(
  { parameters }: Operation,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = input[getArgumentName(parameter)];
      const isQuery = parameter.in === 'query' && typeof value === 'string';
      return isQuery ? [[parameter.name, value] as const] : [];
    }),
  );
}

function fillPath({ path, parameters }: Operation, input: Readonly<Record<string, unknown>>): string {
  return parameters
    .filter(({ in: place }) => place === 'path')
    .reduce((filled, parameter) => {
      const value = String(input[getArgumentName(parameter)]);
      return filled.replace(`{${parameter.name}}`, encodeURIComponent(value));
    }, path);
}
