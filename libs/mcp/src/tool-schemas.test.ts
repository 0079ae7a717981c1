import { SCHEMAS, TOOLS, type Tool } from '@touchstone/contract';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { connectClient, REVISIONS } from './testing/connect-client.ts';
import { compactSchema, removeUnicodePatterns } from './tool-schemas.ts';

/** Maximum size of a tool in the list, in bytes of JSON on average. Many clients add the list to the context of a model. */
const MAX_TOOL_BYTES = 4_600;

/** Compiles a JSON Schema of draft 2020-12. It throws if the schema is invalid. */
function compile(schema: object): ValidateFunction {
  const ajv = new Ajv2020.default({ strict: true, strictRequired: false, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

const getExamples = ({ operations }: Tool): readonly unknown[] =>
  operations.map(({ response }) => response.example);

describe.each(REVISIONS)('tools/list with MCP %s', (revision) => {
  it(`lists each tool of the contract, in at most ${String(MAX_TOOL_BYTES)} bytes on average`, async () => {
    await using server = await connectClient(revision);
    const { tools } = await server.client.listTools();
    expect(tools).toMatchObject(
      TOOLS.map(({ name, title, description, annotations }) => ({ name, title, description, annotations })),
    );
    expect(tools).toHaveLength(TOOLS.length);
    expect(Buffer.byteLength(JSON.stringify({ tools })) / TOOLS.length).toBeLessThan(MAX_TOOL_BYTES);
  });
});

it('the listed schemas accept the examples of the contract, and quotes and problems as output', async () => {
  await using server = await connectClient('2026-07-28');
  const { tools } = await server.client.listTools();
  for (const [index, tool] of TOOLS.entries()) {
    const { inputSchema, outputSchema } = tools[index] ?? expect.fail();
    expect(inputSchema.type).toBe('object');
    const acceptsInput = compile(inputSchema);
    const [first] = tool.operations;
    const isBodyOnly = first?.parameters.every(({ in: place }) => place === 'query');
    if (first !== undefined && first.requestBody !== null && isBodyOnly === true)
      expect(acceptsInput(first.requestBody.example), tool.name).toBe(first.security === 'none');
    expect(inputSchema['additionalProperties'], tool.name).toBe(false);
    const acceptsOutput = compile(outputSchema ?? expect.fail());
    // Older clients also validate quotes and problems.
    for (const example of [
      ...getExamples(tool),
      SCHEMAS['payment-required'].example,
      SCHEMAS.problem.example,
    ])
      expect(acceptsOutput(example), tool.name).toBe(true);
    expect(acceptsOutput({}), tool.name).toBe(false);
  }
});

describe('compactSchema', () => {
  it('keeps a member that has the name of a keyword', () => {
    const schema = {
      type: 'object',
      properties: { pattern: { type: 'string', pattern: '^a', description: 'A pattern.' } },
      required: ['pattern'],
    };
    expect(compactSchema(schema)).toEqual({
      type: 'object',
      properties: { pattern: { type: 'string', description: 'A pattern.' } },
      required: ['pattern'],
    });
  });
});

describe('removeUnicodePatterns', () => {
  it('removes patterns outside ASCII only', () => {
    const schema = {
      properties: {
        pattern: { type: 'string', pattern: '^[!-~¡-¬]$' },
        id: { type: 'string', pattern: '^w_[a-z]$' },
      },
    };
    expect(removeUnicodePatterns(schema)).toEqual({
      properties: { pattern: { type: 'string' }, id: { type: 'string', pattern: '^w_[a-z]$' } },
    });
  });
});
