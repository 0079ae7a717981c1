import { expect } from 'vitest';
import { z } from 'zod';
import { connectClient, encodeHeader, type REVISIONS } from './connect-client.ts';

/** Maximum size of a tool result with its JSON-RPC message, in bytes. */
export const MAX_MESSAGE_BYTES = 20_000;

export const PAYMENT = { x402Version: 2, payload: { signature: '0x2' } };
export const RECEIPT = {
  success: true,
  transaction: `0x${'a'.repeat(64)}`,
  network: 'eip155:8453',
  payer: '0x1',
};

/** Name and arguments of a tool call, and the body of the response. */
export type Row = readonly [name: string, members: Record<string, unknown>, body: object];

export const repeat = <Value>(length: number, create: (at: number) => Value): Value[] =>
  Array.from({ length }, (_, at) => create(at));

/** Calls a tool of a service that responds with a body, and returns the value of the first text. */
export async function callWithBody(revision: (typeof REVISIONS)[number], [name, members, body]: Row) {
  const headers = { 'payment-response': encodeHeader(RECEIPT) };
  await using server = await connectClient(revision, {
    send: () => Promise.resolve(Response.json(body, { headers })),
  });
  const result = await server.callTool(name, members, { meta: { 'x402/payment': PAYMENT } });
  expect(result).toMatchObject({ isError: false, meta: { 'x402/payment-response': RECEIPT } });
  expect(await server.readSize()).toBeLessThan(MAX_MESSAGE_BYTES);
  return z.looseObject({ truncated: z.string().optional() }).parse(result.structured);
}
