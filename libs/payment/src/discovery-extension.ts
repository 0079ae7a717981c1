import { declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { z } from 'zod';
import type { SoldOperation } from './types.ts';

const objectSchema = z.record(z.string(), z.unknown());
const typedSchema = z.looseObject({ type: z.unknown().optional(), anyOf: z.array(z.unknown()).optional() });

/** What kind of value a schema takes, in a word or in several. */
const kindOf = (schema: unknown): unknown => {
  const { type, anyOf } = typedSchema.parse(schema);
  if (type !== undefined) return type;
  const kinds = (anyOf ?? []).map(kindOf).filter((kind) => typeof kind === 'string');
  return kinds.length > 0 ? [...new Set(kinds)] : undefined;
};

/** The properties of a schema with nothing but their kinds. */
const outline = (schema: z.ZodType): Record<string, unknown> => {
  const { properties } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const kinds = Object.entries(properties ?? {}).map(([name, each]) => {
    const type = kindOf(each);
    return [name, type === undefined ? {} : { type }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(kinds) };
};

/** The whole schema of an input, which is small. */
const inputSchemaOf = (schema: z.ZodType): Record<string, unknown> => {
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
 * What directories and agents learn of an operation from its challenge alone (x402's bazaar extension): an example and
 * the schema of its input, and of its output an abridged example with the kinds of all members. The schemas of the
 * output are published in full elsewhere; a challenge is a header, which many servers and proxies cut at 8 KB.
 */
export const discoveryExtension = (operation: SoldOperation): Record<string, unknown> => {
  const output = {
    example: operation.outputExample ?? operation.response.example,
    schema: outline(operation.response.schema),
  };
  const { requestBody } = operation;
  if (requestBody === null) return declareDiscoveryExtension({ output });
  return declareDiscoveryExtension({
    bodyType: 'json',
    input: objectSchema.parse(requestBody.example),
    inputSchema: inputSchemaOf(requestBody.schema),
    output,
  });
};
