import { TOOLS } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { callWithBody, MAX_MESSAGE_BYTES, repeat } from './testing/call-with-body.ts';
import { connectClient, REVISIONS } from './testing/connect-client.ts';
import { EXAMPLES, LARGEST } from './testing/largest-bodies.ts';

it('the sizes of the results of all tools are tested', () => {
  const tested = new Set([...LARGEST, ...EXAMPLES].map(([name]) => name));
  expect(TOOLS.filter(({ name }) => !tested.has(name))).toEqual([]);
});

describe.each(REVISIONS)('results with MCP %s', (revision) => {
  it.each([...LARGEST, ...EXAMPLES])('of %s have less than 20,000 bytes (%#)', async (...row) => {
    await callWithBody(revision, row);
  });
});

describe('error results', () => {
  it('have less than 20,000 bytes', async () => {
    await using server = await connectClient('2026-07-28');
    const resources = repeat(500, (at) => `not a URL ${String(at)} ${'x'.repeat(90)}`);
    expect(await server.callTool('x402_trust_bulk', { resources })).toMatchObject({ isError: true });
    expect(await server.readSize()).toBeLessThan(MAX_MESSAGE_BYTES);
  });
});
