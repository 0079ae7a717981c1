import { TOOLS } from '@touchstone/contract';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { connectClient, REVISIONS } from './testing/connect-client.ts';
import { removeUnicodePatterns } from './tool-schemas.ts';

/** Maximum size of the list of tools as JSON, in bytes. Many clients add the list to the context of a model. */
const MAX_LIST_BYTES = 24_000;

/** Compiles a JSON Schema of draft 2020-12. It throws if the schema is invalid. */
function compile(schema: object): ValidateFunction {
  const ajv = new Ajv2020.default({ strict: true, strictRequired: false, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

describe.each(REVISIONS)('tools/list with MCP %s', (revision) => {
  it(`lists each tool of the contract, in less than ${String(MAX_LIST_BYTES)} bytes together`, async () => {
    await using server = await connectClient(revision);
    const list = await server.client.listTools();
    expect(list.tools).toMatchObject(
      TOOLS.map(({ name, title, description, annotations }) => ({ name, title, description, annotations })),
    );
    expect(list.tools).toHaveLength(TOOLS.length);
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThan(MAX_LIST_BYTES);
  });
});

it('the listed schemas accept the examples of the contract', async () => {
  await using server = await connectClient('2026-07-28');
  const { tools } = await server.client.listTools();
  for (const [index, tool] of TOOLS.entries()) {
    const { inputSchema } = tools[index] ?? expect.fail();
    expect(inputSchema.type).toBe('object');
    const acceptsInput = compile(inputSchema);
    const [first] = tool.operations;
    const isBodyOnly = first?.parameters.every(({ in: place }) => place === 'query');
    if (first !== undefined && first.requestBody !== null && isBodyOnly === true)
      expect(acceptsInput(first.requestBody.example), tool.name).toBe(first.security === 'none');
    expect(inputSchema['additionalProperties'], tool.name).toBe(false);
  }
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
