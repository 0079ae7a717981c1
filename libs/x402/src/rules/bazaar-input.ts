import { isObject } from '../is-object.ts';
import { member } from '../member.ts';
import { expect, type Outcome } from './rule.ts';
import { quote } from '../text.ts';

const QUERY_METHODS = new Set<unknown>(['GET', 'HEAD', 'DELETE']);
const BODY_METHODS = new Set<unknown>(['POST', 'PUT', 'PATCH']);
const BODY_TYPES = new Set<unknown>(['json', 'form-data', 'text']);
const TRANSPORTS = new Set<unknown>(['streamable-http', 'sse']);

/** Source: x402 discovery extension, "Input Type Discriminator". */
export function checkType(input: object): Outcome {
  const type = member(input, 'type');
  return expect(
    type === 'http' || type === 'mcp',
    () => `info.input.type of bazaar is ${quote(type)}; it must be http or mcp.`,
  );
}

/** Source: x402 discovery extension, "Input Types"; @x402/extensions, `validateDiscoveryExtensionSpec`. */
export function checkMethod(input: object): Outcome {
  if (member(input, 'type') !== 'http') return 'skip';
  const method = member(input, 'method');
  return expect(
    QUERY_METHODS.has(method) || BODY_METHODS.has(method),
    () =>
      `info.input.method of bazaar is ${quote(method)}; it must be GET, HEAD, DELETE, POST, PUT or PATCH.`,
  );
}

/** Source: x402 discovery extension, "Body Methods"; @x402/extensions, `validateDiscoveryExtensionSpec`. */
export function checkBody(input: object): Outcome {
  const method = member(input, 'method');
  const bodyType = member(input, 'bodyType');
  if (member(input, 'type') !== 'http') return 'skip';
  if (bodyType !== undefined && !BODY_TYPES.has(bodyType)) {
    return {
      message: `info.input.bodyType of bazaar is ${quote(bodyType)}; it must be json, form-data or text.`,
    };
  }
  if (BODY_METHODS.has(method)) {
    // The reference package makes such declarations for routes without a body, and directories list them.
    return expect(
      bodyType !== undefined && member(input, 'body') !== undefined,
      () => `info.input of bazaar is for ${String(method)} and has no bodyType with a body.`,
      { severity: 'warning' },
    );
  }
  if (bodyType === undefined || !QUERY_METHODS.has(method)) return 'skip';
  return { message: `info.input of bazaar has a bodyType, and ${String(method)} has no body.` };
}

/** Takes `tool` for `toolName`, as the specification called it at first. Source: x402 discovery extension, "MCP Tools". */
export function checkTool(input: object): Outcome {
  if (member(input, 'type') !== 'mcp') return 'skip';
  const name = member(input, 'toolName') ?? member(input, 'tool');
  if (typeof name !== 'string' || name === '') {
    return { message: `info.input.toolName of bazaar is ${quote(name)}; it must name the tool.` };
  }
  const inputSchema = member(input, 'inputSchema');
  if (!isObject(inputSchema)) {
    return { message: `info.input.inputSchema of bazaar is ${quote(inputSchema)}; it must be an object.` };
  }
  const transport = member(input, 'transport');
  return expect(
    transport === undefined || TRANSPORTS.has(transport),
    () => `info.input.transport of bazaar is ${quote(transport)}; it must be streamable-http or sse.`,
  );
}
