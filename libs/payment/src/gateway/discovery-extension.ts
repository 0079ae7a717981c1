import { declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { z } from 'zod';
import type { ContractOperation } from '../types.ts';

const objectSchema = z.record(z.string(), z.unknown());
const typedSchema = z.looseObject({ type: z.unknown().optional(), anyOf: z.array(z.unknown()).optional() });

/** Returns the type of a JSON Schema: one name, or a list for a union. */
const readType = (schema: unknown): unknown => {
  const { type, anyOf } = typedSchema.parse(schema);
  if (type !== undefined) return type;
  const types = (anyOf ?? []).map(readType).filter((each) => typeof each === 'string');
  return types.length > 0 ? [...new Set(types)] : undefined;
};

/** Returns a short JSON Schema of an output, with the type of each member only. */
const createOutline = (schema: z.ZodType): Record<string, unknown> => {
  const { properties } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const type = readType(member);
    return [name, type === undefined ? {} : { type }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(members) };
};

/** Returns the complete JSON Schema of an input. Input schemas are small. */
const createInputSchema = (schema: z.ZodType): Record<string, unknown> => {
  const { type, properties, required, additionalProperties } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return {
    type,
    properties,
    ...(required ? { required } : {}),
    ...(additionalProperties === false ? { additionalProperties } : {}),
  };
};

/**
 * Creates the x402 bazaar extension of a challenge, which describes an operation to directories and agents. It contains
 * the schema and an example of the input. For the output, it contains an abridged example and the types of the members.
 * The output schema is shortened because a challenge is a header, and many servers and proxies limit headers to 8 KB.
 * The full output schemas are published at `/schemas`.
 */
export const createDiscoveryExtension = (operation: ContractOperation): Record<string, unknown> => {
  const output = {
    example: operation.outputExample ?? operation.response.example,
    schema: createOutline(operation.response.schema),
  };
  const { requestBody } = operation;
  if (requestBody === null) return declareDiscoveryExtension({ output });
  return declareDiscoveryExtension({
    bodyType: 'json',
    input: objectSchema.parse(requestBody.example),
    inputSchema: createInputSchema(requestBody.schema),
    output,
  });
};
