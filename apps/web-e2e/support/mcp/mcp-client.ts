import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { parseJson } from '@touchstone/common';
import { ExactEvmScheme } from '@x402/evm';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import type { PrivateKeyAccount } from 'viem/accounts';
import { z } from 'zod';

/** Revisions of MCP: the first begins with a handshake, and the second has no sessions. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];

/** Members of `_meta` with the payment and with the receipt of a tool call (x402 transport for MCP). */
const PAYMENT_META = 'x402/payment';
const RECEIPT_META = 'x402/payment-response';

const receiptSchema = z.object({ success: z.literal(true), payer: z.string(), transaction: z.string() });
const quoteSchema = z.looseObject({
  x402Version: z.literal(2),
  error: z.string(),
  resource: z.looseObject({ url: z.url() }),
  accepts: z.array(z.looseObject({ network: z.string(), amount: z.string() })),
});
/** Price quote of a paid tool. The quote is the x402 challenge of the HTTP operation that the tool calls. */
type Quote = z.infer<typeof quoteSchema>;
/** Signed payment, as the x402 client creates it. */
type Payment = Awaited<ReturnType<x402Client['createPaymentPayload']>>;

export interface ToolResult {
  readonly isError: boolean;
  /** Structured content of an error, or the object in the first text. */
  readonly structured: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
  /** Receipt of the payment; null without a settled payment. */
  readonly receipt: z.infer<typeof receiptSchema> | null;
}

interface CallOptions {
  readonly payment?: unknown;
  readonly onprogress?: (progress: { readonly message?: string | undefined }) => void;
}

/** Connects the official MCP client to the MCP server of the shared service. */
export const connectHttp = (revision: Revision) =>
  connectMcp(
    new StreamableHTTPClientTransport(new URL('/mcp', process.env['TOUCHSTONE_URL'] ?? '')),
    revision,
  );

/** Connects the official MCP client with a transport, in one revision of the protocol. */
export async function connectMcp(transport: Transport, revision: Revision) {
  const client = new Client(
    { name: 'touchstone-e2e', version: '1.0.0' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  );
  await client.connect(transport);
  return {
    client,
    call: (name: string, input: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}) =>
      callTool(client, { name, arguments: { ...input } }, options),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function callTool(
  client: Client,
  call: { readonly name: string; readonly arguments: Record<string, unknown> },
  { payment, onprogress }: CallOptions,
): Promise<ToolResult> {
  const { isError, structuredContent, content, _meta } = await client.callTool(
    { ...call, ...(payment === undefined ? {} : { _meta: { [PAYMENT_META]: payment } }) },
    onprogress === undefined ? {} : { onprogress },
  );
  const receipt = _meta?.[RECEIPT_META];
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  return {
    isError: isError === true,
    structured: z.record(z.string(), z.unknown()).parse(structuredContent ?? parseJson(texts[0] ?? '') ?? {}),
    texts,
    receipt: receipt === undefined ? null : receiptSchema.parse(receipt),
  };
}

/**
 * Parses the quote of an unpaid or refused call. The structured content and the text of the result must contain the
 * same quote.
 */
export function parseQuote({ structured, texts: [text = ''] }: ToolResult): Quote {
  const quote = quoteSchema.parse(structured);
  if (JSON.stringify(structured) !== text) throw new Error('The text of the result differs from its quote');
  return quote;
}

/**
 * Signs the quote of a paid tool with the x402 client. The client receives the quote as the value of the header
 * `PAYMENT-REQUIRED`, because the client reads quotes only from this header.
 */
export function signQuote(account: PrivateKeyAccount, quote: Quote): Promise<Payment> {
  const client = new x402HTTPClient(new x402Client().register('eip155:8453', new ExactEvmScheme(account)));
  const header = Buffer.from(JSON.stringify(quote)).toString('base64');
  return client.createPaymentPayload(client.getPaymentRequiredResponse(() => header));
}
