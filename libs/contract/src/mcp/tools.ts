import { formatUsd } from '@touchstone/common';
import { z } from 'zod';
import { BULK_SIZES } from '../operations/bulk/operation.ts';
import type { Operation, Parameter, ToolText } from '../operations/operation-model.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { createInlineSchema, type JsonSchema } from '../shared/json-schema.ts';

/** MCP tool for one or several operations of the API. With several operations, the input selects one. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Description of at most 600 characters for an agent that chooses a tool. The description ends with the price. */
  readonly description: string;
  /** Operations of the tool. A call uses the first operation whose request body accepts the input. */
  readonly operations: readonly Operation[];
  /** Schema of the input: the members of path, query and body, and `secret` for an operation with a bearer secret. */
  readonly input: z.ZodObject;
  /** Schema of the response of the operations. */
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

/** Kinds of effects of a tool, with the hints of MCP. */
const EFFECTS = {
  /** Free operation that changes nothing. */
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  /** Paid operation. Clients may call read-only tools without asking, so a tool that costs money is not read-only. */
  pay: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  /** Operation that replaces settings or ends a watch. A repeated call changes nothing more. */
  change: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const;

/** Name of the input member that has the bearer secret of a watch. */
export const SECRET_MEMBER = 'secret';

const SECRET_PATTERN = /^wsk_[A-Za-z0-9_-]{43}$/;
const SECRET_EXPECTATION = 'must be the secret of the watch: wsk_ and 43 characters';

const secret = z
  .string({ error: SECRET_EXPECTATION })
  // Error messages do not repeat a secret. Only an issue of a zod refinement can mark its value as a secret.
  .refine((value) => SECRET_PATTERN.test(value), { error: SECRET_EXPECTATION, params: { isSecret: true } })
  .describe('Bearer secret of the watch, from the result of its purchase.')
  .meta({ pattern: SECRET_PATTERN.source });

/** Returns the name of the argument of a tool call that fills a parameter. */
export const getArgumentName = ({ name, argumentName = name }: Parameter): string => argumentName;

/**
 * Creates the schema of an argument that fills a parameter. The default is an annotation of the JSON Schema: the command
 * line parses its input with the same schema, and has the default of the HTTP operation.
 */
function createArgument({ schema, description, argumentDefault }: Parameter): z.ZodType {
  const argument = schema.describe(description);
  return argumentDefault === undefined ? argument : argument.meta({ default: argumentDefault });
}

/** Creates the strict input schema of an operation: the members of its path, query and body, and the secret. */
function createToolInput({ parameters, requestBody, security }: Operation): z.ZodObject {
  const body = requestBody?.schema ?? null;
  const members = z.strictObject({
    ...Object.fromEntries(parameters.map((each) => [getArgumentName(each), createArgument(each)])),
    ...(body instanceof z.ZodObject ? body.shape : {}),
    ...(security === 'bearer' ? { [SECRET_MEMBER]: secret } : {}),
  });
  if (!(body instanceof z.ZodObject)) return members;
  // Rules that concern several members of the body are not part of the schemas of the members, so these rules are
  // checked here.
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

/** All MCP tools, in display order. */
export const TOOLS: readonly Tool[] = [...Map.groupBy(OPERATIONS, ({ tool }) => tool)]
  .flatMap(([tool, operations]) => (tool === null ? [] : [{ tool, operations }]))
  .sort((a, b) => a.tool.place - b.tool.place)
  .flatMap(({ tool, operations }) =>
    operations.slice(-1).map((widest) => createTool(tool, operations, widest)),
  );

/**
 * Creates a tool from its texts.
 *
 * @param operations operations of the tool, in ascending order of their limits, so that a call uses the cheapest
 *   operation that fits
 * @param widest operation with the highest limits. All operations of a tool have the same response.
 */
function createTool(
  { name, title, text, isOpenWorld, isSlow = false }: ToolText,
  operations: readonly Operation[],
  widest: Operation,
): Tool {
  return {
    name,
    title,
    description: `${text} ${formatPrice(operations)}`,
    operations,
    input: createToolInput(widest),
    output: widest.response.schema,
    annotations: { title, ...EFFECTS[toEffect(widest)], openWorldHint: isOpenWorld },
    isSlow,
  };
}

function toEffect({ priceUsd, method, tool }: Operation): keyof typeof EFFECTS {
  if (priceUsd !== null) return 'pay';
  return method === 'GET' || tool?.isReadOnly === true ? 'read' : 'change';
}

/** Formats the price of a tool, such as "Price: $0.005 per call, paid with x402." */
function formatPrice(operations: readonly Operation[]): string {
  const prices = operations.flatMap(({ priceUsd }) => (priceUsd === null ? [] : [formatUsd(priceUsd)]));
  const [first, ...others] = prices;
  if (first === undefined) return 'Free.';
  if (others.length === 0) return `Price: ${first} per call, paid with x402.`;
  const sizes = BULK_SIZES.map((size, at) => `${prices[at] ?? ''} for up to ${String(size)}`).join(', ');
  return `Price: ${sizes} URLs, paid with x402.`;
}

/** Creates the JSON Schemas of the input and the output of a tool, without references to other documents. */
export function createToolSchemas({ input, output }: Tool): {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
} {
  return { input: createInlineSchema(input, 'input'), output: createInlineSchema(output, 'output') };
}
