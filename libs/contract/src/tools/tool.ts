import { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { createInlineSchema, type JsonSchema } from '../schemas/json-schema.ts';

/** MCP tool: one operation of the API, or several operations of which the input selects one. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Description of at most 600 characters for an agent that chooses a tool. It ends with the price. */
  readonly description: string;
  /** Operations of the tool. A call uses the first one whose request body accepts the input. */
  readonly operations: readonly Operation[];
  /** Schema of the input: the members of path, query and body, and `secret` for an operation with a bearer secret. */
  readonly input: z.ZodObject;
  /** Schema of the response to the operations. */
  readonly output: z.ZodType;
  /** Hints for MCP clients, by the MCP specification. */
  readonly annotations: ToolAnnotations;
  /** True when a call may take seconds, because it probes an endpoint or tests connections. */
  readonly isSlow: boolean;
}

interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Name of the input member that has the bearer secret of a watch. */
export const SECRET_MEMBER = 'secret';

const SECRET_PATTERN = /^wsk_[A-Za-z0-9_-]{43}$/;
const SECRET_EXPECTATION = 'must be the secret of the watch: wsk_ and 43 characters';

const secret = z
  .string({ error: SECRET_EXPECTATION })
  // Error messages do not repeat a secret. Only an issue of a refinement can declare that its value is one.
  .refine((value) => SECRET_PATTERN.test(value), { error: SECRET_EXPECTATION, params: { isSecret: true } })
  .describe('Bearer secret of the watch, from the result of its purchase.')
  .meta({ pattern: SECRET_PATTERN.source });

/** Creates the strict input schema of an operation: the members of its path, query and body, and the secret. */
export function createToolInput({ parameters, requestBody, security }: Operation): z.ZodObject {
  const body = requestBody?.schema ?? null;
  const members = z.strictObject({
    ...Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, schema.describe(description)]),
    ),
    ...(body instanceof z.ZodObject ? body.shape : {}),
    ...(security === 'bearer' ? { [SECRET_MEMBER]: secret } : {}),
  });
  if (!(body instanceof z.ZodObject)) return members;
  // The members of the body do not include its rules that concern several members, so these rules are checked here.
  return members.superRefine((input, context) => {
    if (context.issues.length > 0) return;
    const { error } = body.safeParse(pickMembers(input, Object.keys(body.shape)));
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message });
  });
}

/** Returns the members of an object that have one of the names. */
export function pickMembers(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

/** Creates the JSON Schemas of the input and the output of a tool, without references to other documents. */
export function createToolSchemas({ input, output }: Tool): {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
} {
  return { input: createInlineSchema(input, 'input'), output: createInlineSchema(output, 'output') };
}
