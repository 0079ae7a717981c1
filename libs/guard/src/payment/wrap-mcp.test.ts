import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { isJsonObject } from '@touchstone/common';
import { readMember } from '@touchstone/x402/json';
import type { PaymentOutcome } from '../outcome/outcome.ts';
import { setUp as setUpClient, type Setup } from '../testing/guarded-client.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import { createRequirements } from '../testing/seller.ts';
import { OTHER_PAY_TO } from '../testing/touchstone.ts';

closeServersAfterEach();

const MCP_URL = 'https://mcp.example/mcp';
type Result = Awaited<ReturnType<Client['callTool']>>;
const transaction = `0x${'ab'.repeat(32)}`;
const DELIVERED = {
  content: [{ type: 'text' as const, text: 'sunny' }],
  _meta: { 'x402/payment-response': { success: true, transaction, network: 'eip155:8453' } },
};

interface McpSetup extends Setup {
  readonly payTo?: string;
  /** True for a server that sends the challenge as text only. */
  readonly isText?: boolean;
}

/**
 * Connects the MCP client of the reference implementation, with a guard, to a server with two paid tools, and pays as the
 * transport specification of x402 for MCP says.
 */
async function setUp({ payTo, isText = false, ...setup }: McpSetup = {}) {
  const world = await setUpClient(setup);
  const payments: unknown[] = [];
  const state = { deliver: (): Promise<object> => Promise.resolve(DELIVERED) };
  const challenge = {
    ...{ x402Version: 2, resource: { url: 'mcp://tool/weather' } },
    accepts: [createRequirements(payTo === undefined ? {} : { payTo })],
  };
  const server = new McpServer({ name: 'seller', version: '1.0.0' });
  for (const name of ['weather', 'news', 'maps', 'rates']) {
    server.registerTool(name, {}, async ({ mcpReq }) => {
      const payment = readMember(mcpReq._meta, 'x402/payment');
      if (payment !== undefined) {
        payments.push(payment);
        return (await state.deliver()) as never;
      }
      const content = [{ type: 'text' as const, text: JSON.stringify(challenge) }];
      return { isError: true, content, ...(isText ? {} : { structuredContent: challenge }) };
    });
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = world.guard.wrapMcp(new Client({ name: 'agent', version: '1.0.0' }), MCP_URL);
  await client.connect(near);
  const buy = async (name = 'weather'): Promise<Result> => {
    const first = await client.callTool({ name });
    if (first.isError !== true) return first;
    const payload = await world.client.createPaymentPayload(challenge as never);
    return client.callTool({ name, _meta: { 'x402/payment': payload } });
  };
  return { ...world, buy, payments, state };
}

it('pays a tool once, records the receipt, and tells tools apart', async () => {
  const { buy, payments, guard, touchstone } = await setUp();
  expect(await buy()).toMatchObject(DELIVERED);
  await expect(buy()).rejects.toThrow(transaction);
  expect(await buy('news')).toMatchObject(DELIVERED);
  expect(payments).toHaveLength(2);
  expect((await guard.spending()).hosts).toMatchObject([{ name: 'mcp.example', delivered: 2, usd: '0.02' }]);
  expect(touchstone.lookups[0]?.searchParams.get('resource')).toBe(MCP_URL);
});

it('sends the earlier payment again after an error of the tool', async () => {
  const { buy, payments, state } = await setUp();
  const { deliver } = state;
  state.deliver = async () => ({ isError: true, content: [{ type: 'text', text: 'Try again.' }] });
  expect((await buy()).isError).toBe(true);
  state.deliver = () => Promise.reject(new Error('lost'));
  await buy();
  state.deliver = deliver;
  expect(await buy()).toMatchObject(DELIVERED);
  expect(payments).toEqual([payments[0], payments[0], payments[0]]);
  expect(isJsonObject(payments[0])).toBe(true);
});

it('blames a tool for errors only after a settlement or a new challenge', async () => {
  const outcomes: PaymentOutcome[] = [];
  const onOutcome = (outcome: PaymentOutcome) => void outcomes.push(outcome);
  const policy = { maxUndelivered: 1 };
  const { buy, payments, state } = await setUp({ options: { onOutcome, policy, trace: false } });
  const wrong = { isError: true, content: [{ type: 'text', text: 'Unknown city Brelin.' }] };
  state.deliver = async () => wrong;
  for (const name of ['weather', 'news']) expect(await buy(name)).toMatchObject(wrong);
  state.deliver = async () => ({ ...wrong, _meta: DELIVERED._meta });
  await buy('maps');
  state.deliver = async () => DELIVERED;
  await expect(buy('rates')).rejects.toThrow('without a delivery');
  expect(payments).toHaveLength(3);
  expect(outcomes.map(({ delivered, httpStatus }) => [delivered, httpStatus])).toEqual([
    [null, null],
    [null, null],
    [false, null],
  ]);
});

it.each([false, true])('refuses a recipient before anything is signed: text only %s', async (isText) => {
  const { buy, payments, countSignatures } = await setUp({ payTo: OTHER_PAY_TO, isText });
  await expect(buy()).rejects.toThrow('was never observed at this endpoint');
  expect([payments, countSignatures()]).toEqual([[], 0]);
});
