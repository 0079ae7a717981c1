import { isJsonObject } from '@touchstone/common';
import { readMember, quote } from '../../json/untrusted-json.ts';
import { passIf, type Outcome } from '../rule.ts';

const QUERY_METHODS = new Set<unknown>(['GET', 'HEAD', 'DELETE']);
const BODY_METHODS = new Set<unknown>(['POST', 'PUT', 'PATCH']);
const BODY_TYPES = new Set<unknown>(['json', 'form-data', 'text']);
const TRANSPORTS = new Set<unknown>(['streamable-http', 'sse']);

/** Checks the type of `info.input`. Source: x402 discovery extension, "Input Type Discriminator". */
export function checkType(input: object): Outcome {
  const type = readMember(input, 'type');
  return passIf(
    type === 'http' || type === 'mcp',
    () => `bazaar.info.input.type is ${quote(type)}; it must be http or mcp.`,
  );
}

/**
 * Checks the request method. Source: x402 discovery extension, "Input Types"; @x402/extensions,
 * `validateDiscoveryExtensionSpec`.
 */
export function checkMethod(input: object): Outcome {
  if (readMember(input, 'type') !== 'http') return 'skip';
  const method = readMember(input, 'method');
  return passIf(
    QUERY_METHODS.has(method) || BODY_METHODS.has(method),
    () => `bazaar.info.input.method is ${quote(method)}; it must be GET, HEAD, DELETE, POST, PUT or PATCH.`,
  );
}

/**
 * Checks the declared request body. Source: x402 discovery extension, "Body Methods"; @x402/extensions,
 * `validateDiscoveryExtensionSpec`.
 */
export function checkBody(input: object): Outcome {
  const method = readMember(input, 'method');
  const bodyType = readMember(input, 'bodyType');
  if (readMember(input, 'type') !== 'http') return 'skip';
  if (bodyType !== undefined && !BODY_TYPES.has(bodyType)) {
    return {
      message: `bazaar.info.input.bodyType is ${quote(bodyType)}; it must be json, form-data or text.`,
    };
  }
  if (BODY_METHODS.has(method)) {
    // A missing body is only a warning: the reference package declares routes without a body in this way, and
    // directories list such routes.
    return passIf(
      bodyType !== undefined && readMember(input, 'body') !== undefined,
      () => `bazaar.info.input has the method ${String(method)}, but lacks bodyType or body.`,
      { severity: 'warning' },
    );
  }
  if (bodyType === undefined || !QUERY_METHODS.has(method)) return 'skip';
  return { message: `bazaar.info.input has a bodyType, but ${String(method)} requests have no body.` };
}

/**
 * Checks the declaration of an MCP tool. The tool name may be in `tool` instead of `toolName`, as in an early version
 * of the specification. Source: x402 discovery extension, "MCP Tools".
 */
export function checkTool(input: object): Outcome {
  if (readMember(input, 'type') !== 'mcp') return 'skip';
  const name = readMember(input, 'toolName') ?? readMember(input, 'tool');
  if (typeof name !== 'string' || name === '') {
    return { message: `bazaar.info.input.toolName is ${quote(name)}; it must name the tool.` };
  }
  const inputSchema = readMember(input, 'inputSchema');
  if (!isJsonObject(inputSchema)) {
    return { message: `bazaar.info.input.inputSchema is ${quote(inputSchema)}; it must be an object.` };
  }
  const transport = readMember(input, 'transport');
  return passIf(
    transport === undefined || TRANSPORTS.has(transport),
    () => `bazaar.info.input.transport is ${quote(transport)}; it must be streamable-http or sse.`,
  );
}
