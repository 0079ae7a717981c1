import type { CallToolResult } from '@modelcontextprotocol/server';
import { isJsonObject } from '@touchstone/common';
import { PAYMENT_HEADERS, type Tool } from '@touchstone/contract';
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
    locateWhole: async () => {
      const whole = (await storeWhole?.(call, body)) ?? describeWholeRequest(call, baseUrl);
      return [...adviseArguments(tool), whole].join(' ');
    },
  });
}

/** Sentences on the arguments that make a result shorter, by the name of the argument. */
const SMALLER_ARGUMENTS = {
  resources: 'Fewer `resources` give a shorter result.',
  days: 'Fewer `days` give a shorter result.',
  limit: 'A smaller `limit` gives a shorter result.',
};

const adviseArguments = ({ input }: Tool): readonly string[] =>
  Object.entries(SMALLER_ARGUMENTS).flatMap(([name, advice]) => (name in input.shape ? [advice] : []));

/** Maximum length of a URL that is named with its query. */
const MAX_URL_CHARS = 500;

/**
 * Describes the HTTP request that returns the whole body of a result. A model cannot send the request, because only the
 * client has the payment.
 */
function describeWholeRequest(
  { request: { operation, method, path, query, body, secret }, payment }: ToolCall,
  baseUrl: string,
): string {
  const url = new URL(path, baseUrl);
  const bare = url.href;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const target =
    url.href.length <= MAX_URL_CHARS ? url.href : `${bare} with the arguments of this call as its query`;
  if (operation.priceUsd === null && method === 'POST')
    return `Your client can send ${method} ${target} with the arguments of this call as its JSON body: the response is the whole result, free of charge.`;
  if (operation.priceUsd === null) {
    const token = secret === null ? '' : ' with the `secret` as bearer token';
    // An edited or cancelled watch is read with GET at the same path.
    return `Your client can send GET ${target}${token}: the response is the whole result, free of charge.`;
  }
  // A payment of version 1 has no purchase secret, so its result is stored for a shorter time.
  const isV1 = payment !== null && PAYMENT_HEADERS.v1 in payment.headers;
  const header = PAYMENT_HEADERS[isV1 ? 'v1' : 'v2'].toUpperCase();
  const sent = body === undefined ? '' : ' with the arguments of this call as its JSON body, and';
  return `Your client can repeat ${method} ${target}${sent} with the payment of this call in the header ${header}: within ${isV1 ? '10 minutes' : '24 hours'}, the response is the whole result, without another charge.`;
}
