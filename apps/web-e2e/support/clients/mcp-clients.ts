import type * as AiMcp from '@ai-sdk/mcp';
import { z } from 'zod';
import type { Bought, Buyer, Order, BuyerOptions } from './client.ts';

/** Maximum price that the clients may pay, in atomic units of USDC. It is the price of a watch. */
const MAX_VALUE = 200_000n;

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ text: z.string() })),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

/** Reads the result of a paid tool call. The receipt is in `_meta`. */
function readResult(result: unknown, receiptMeta: string): Bought {
  const { isError, content, _meta } = resultSchema.parse(result);
  const text = content[0]?.text ?? '';
  if (isError === true) throw new Error(`The tool responded with an error: ${text}`);
  return { body: JSON.parse(text) as unknown, receipt: _meta?.[receiptMeta] };
}

/** Tool of the AI SDK. A model calls `execute`. */
interface ModelTool {
  readonly inputSchema: { parse?: (input: unknown) => unknown };
  execute(input: unknown, options: { readonly messages: []; readonly toolCallId: string }): Promise<unknown>;
}
interface ModelClient {
  tools(): Promise<Readonly<Record<string, ModelTool>>>;
  close(): Promise<void>;
}
/** Configuration of the payments of a client. */
interface PaymentConfig {
  readonly account: BuyerOptions['account'];
  readonly network: 'base';
  readonly maxPaymentValue: bigint;
}
interface X402Mcp {
  readonly withPayment: (client: unknown, options: PaymentConfig) => Promise<ModelClient>;
}

const offerSchema = z.looseObject({
  x402Version: z.literal(1),
  accepts: z.tuple([z.unknown()], z.unknown()),
});
const authorizationSchema = z.object({ paymentAuthorization: z.string() });

/**
 * Connects `x402-mcp` with the MCP client of the AI SDK. This function does the steps of the model: it finds the
 * version 1 offer in the texts of the unpaid result, calls the tool that signs the offer, and calls the paid tool again.
 */
export async function connectX402Mcp({ load, url, account }: BuyerOptions): Promise<Buyer> {
  const { createMCPClient } = await load<typeof AiMcp>('@ai-sdk/mcp');
  const { withPayment } = await load<X402Mcp>('x402-mcp/client');
  const connected = await createMCPClient({ transport: { type: 'http', url: `${url}/mcp` } });
  const client = await withPayment(connected, { account, network: 'base', maxPaymentValue: MAX_VALUE });
  const tools = await client.tools();
  const call = async (name: string, input: unknown): Promise<unknown> => {
    const tool = tools[name];
    if (tool === undefined) throw new Error(`The service has no tool ${name}.`);
    // The AI SDK parses the input of its own tools. The tools of a server have a JSON Schema without a parser.
    const parsed = tool.inputSchema.parse?.(input) ?? input;
    return tool.execute(parsed, { messages: [], toolCallId: name });
  };
  const buy = async ({ tool, input }: Order): Promise<Bought> => {
    const { content } = resultSchema.parse(await call(tool, input));
    const text = content.find((part) => part.text.startsWith('{"x402Version":1'))?.text;
    if (text === undefined)
      throw new Error(`The result has no offer of version 1: ${content[0]?.text ?? ''}`);
    const offer = offerSchema.parse(JSON.parse(text));
    const signed = await call('generatePaymentAuthorization', { paymentRequirements: offer.accepts[0] });
    const { paymentAuthorization } = authorizationSchema.parse(signed);
    return readResult(await call(tool, { ...input, paymentAuthorization }), 'x402.payment-response');
  };
  return { buy, close: () => client.close() };
}

interface SdkClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
}
interface McpSdk {
  readonly Client: new (info: { readonly name: string; readonly version: string }) => SdkClient;
}
interface McpTransport {
  readonly StreamableHTTPClientTransport: new (url: URL) => unknown;
}
interface PayingClient {
  callTool(
    confirm: null,
    call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  ): Promise<unknown>;
}
interface Agents {
  readonly withX402Client: (client: SdkClient, config: PaymentConfig) => PayingClient;
}

/** Connects `withX402Client` of Cloudflare's `agents` with the official MCP client. */
export async function connectAgents({ load, url, account }: BuyerOptions): Promise<Buyer> {
  const { Client } = await load<McpSdk>('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = await load<McpTransport>(
    '@modelcontextprotocol/sdk/client/streamableHttp.js',
  );
  const { withX402Client } = await load<Agents>('agents/x402');
  const client = new Client({ name: 'agents', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const paying = withX402Client(client, { account, network: 'base', maxPaymentValue: MAX_VALUE });
  return {
    buy: async ({ tool, input }) =>
      readResult(await paying.callTool(null, { name: tool, arguments: input }), 'x402/payment-response'),
    close: () => client.close(),
  };
}
