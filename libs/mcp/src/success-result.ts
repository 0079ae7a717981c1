import type { CallToolResult } from '@modelcontextprotocol/server';
import { isJsonObject } from '@touchstone/common';
import { PAYMENT_HEADERS } from '@touchstone/contract';
import { createFittingResult } from './fit-result.ts';
import type { McpServerOptions, ToolCall } from './options.ts';
import { describeProviderTexts, listProviderTexts } from './provider-text.ts';
import { listShortForms } from './short-forms.ts';

interface SuccessOptions {
  /** Members of `_meta` with the receipt of the payment. */
  readonly receipts: Readonly<Record<string, unknown>>;
  readonly options: McpServerOptions;
}

/**
 * Creates the result of a successful call. The body is only sent as text: some clients show a model only the text of a
 * result, others only the structured content if there is one, and others both. `@x402/mcp` passes only the text on.
 */
export async function createSuccessResult(
  call: ToolCall,
  body: unknown,
  { receipts, options: { storeWhole, baseUrl } }: SuccessOptions,
): Promise<CallToolResult> {
  if (!isJsonObject(body)) throw new Error('The body of the response is not a JSON object.');
  const { tool } = call;
  const untrusted = listProviderTexts(tool, body);
  const notes = untrusted.length === 0 ? [] : [describeProviderTexts(untrusted)];
  return createFittingResult(body, {
    create: (members, meta) => ({
      content: [JSON.stringify(members), ...notes].map((text) => ({ type: 'text', text })),
      ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
    }),
    receipts,
    listShortForms: (members) => listShortForms(tool, members),
    locateWhole: async () => (await storeWhole?.(call, body)) ?? describeWholeRequest(call, baseUrl),
  });
}

/** Describes the HTTP request that returns the whole body of a result. */
function describeWholeRequest(
  { request: { operation, method, path, query, secret }, payment }: ToolCall,
  baseUrl: string,
): string {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const request = `${method} ${url.href}`;
  if (operation.priceUsd === null)
    return `${request}${secret === null ? '' : ' with the bearer secret'} returns the whole result, free of charge.`;
  // A payment of version 1 has no purchase secret, so its result is stored for a shorter time.
  const isV1 = payment !== null && PAYMENT_HEADERS.v1 in payment.headers;
  return `${request} with the same JSON body and the same payment returns the whole result within ${isV1 ? '10 minutes' : '24 hours'}, without another charge.`;
}
