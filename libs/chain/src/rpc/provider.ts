import { z } from 'zod';
import { postJson, type PostOptions } from './post-json.ts';
import { RpcFailure, type RpcFailureKind } from './rpc-failure.ts';

export interface ProviderOptions extends PostOptions {
  /** Name of the provider in messages, in place of its URL. */
  readonly label: string;
  readonly sleep: (ms: number) => Promise<void>;
}

/** One RPC URL. Calls are retried while the provider is rate-limited or unavailable, and then throw RpcFailure. */
export interface Provider {
  readonly label: string;
  readonly call: <T>(method: string, params: readonly unknown[], schema: z.ZodType<T>) => Promise<T>;
  /** Calls one method with many parameter lists, in batches. Returns the results in the order of the lists. */
  readonly callMany: <T>(
    method: string,
    paramsList: readonly (readonly unknown[])[],
    schema: z.ZodType<T>,
  ) => Promise<T[]>;
}

const responseSchema = z.object({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number().optional(), message: z.string().optional() }).nullish(),
});
type RpcResponse = z.infer<typeof responseSchema>;

/** Texts of rate limits that are sent as JSON-RPC errors. Sources: error references of Infura, Alchemy, QuickNode, Ankr. */
const RATE_LIMIT_TEXT = /too many requests|rate.?limit|per second|compute units|throughput|request count/i;
const RATE_LIMIT_CODES = new Set([429, -32029, -32097]);

function toFailure({ code, message = '' }: NonNullable<RpcResponse['error']>): RpcFailure {
  if ((code !== undefined && RATE_LIMIT_CODES.has(code)) || RATE_LIMIT_TEXT.test(message)) {
    return new RpcFailure('rate-limited', `responded with a rate limit error (${code ?? 'no code'})`);
  }
  // Error texts differ between providers and may contain the URL, so only the code is reported. Any other error is
  // treated as too large a request: a smaller one shows whether that was the cause.
  return new RpcFailure('too-large', `responded with error ${code ?? 'without a code'}`);
}

function parseResult<T>(response: unknown, schema: z.ZodType<T>): T {
  const parsed = responseSchema.safeParse(response);
  if (!parsed.success) throw new RpcFailure('unusable', 'sent a response that is not JSON-RPC');
  if (parsed.data.error) throw toFailure(parsed.data.error);
  const result = schema.safeParse(parsed.data.result);
  if (!result.success) throw new RpcFailure('unusable', 'sent a result in an unexpected format');
  return result.data;
}

/** Maximum number of calls in one batch request. */
const MAX_BATCH_SIZE = 100;
/** Maximum attempts by kind of failure. Other kinds are not retried. */
const MAX_ATTEMPTS: Partial<Record<RpcFailureKind, number>> = { 'rate-limited': 5, unavailable: 3 };
/** Pause before the first retry, in milliseconds. It doubles with each retry. */
const FIRST_PAUSE_MS = 500;
/** Maximum pause before a retry, in milliseconds. If the provider demands a longer one, another provider is used. */
const MAX_PAUSE_MS = 10_000;

async function callWithRetries<T>(
  sleep: ProviderOptions['sleep'],
  attemptCall: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptCall();
    } catch (error) {
      if (!(error instanceof RpcFailure) || attempt >= (MAX_ATTEMPTS[error.kind] ?? 1)) throw error;
      const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
      if (pauseMs > MAX_PAUSE_MS) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Sorts the responses of a batch by the ids of the requests. Returns null when the provider does not support batches. */
function sortResponses(responses: unknown, ids: readonly number[]): unknown[] | null {
  if (!Array.isArray(responses)) return null;
  const byId = new Map<unknown, unknown>();
  for (const response of responses) {
    const parsed = responseSchema.safeParse(response);
    if (parsed.success) byId.set(parsed.data.id, response);
  }
  return ids.map((id) => {
    if (!byId.has(id)) throw new RpcFailure('unusable', 'omitted responses of a batch');
    return byId.get(id);
  });
}

/** Creates a provider for an RPC URL without sending a request. */
export function createProvider({ label, sleep, ...post }: ProviderOptions): Provider {
  let lastId = 0;
  let supportsBatches = true;
  const createRequest = (method: string, params: readonly unknown[]) => {
    lastId += 1;
    return { jsonrpc: '2.0', id: lastId, method, params };
  };
  const call: Provider['call'] = (method, params, schema) =>
    callWithRetries(sleep, async () =>
      parseResult(await postJson(createRequest(method, params), post), schema),
    );

  const callBatch = <T>(method: string, list: readonly (readonly unknown[])[], schema: z.ZodType<T>) =>
    callWithRetries(sleep, async (): Promise<T[] | null> => {
      const requests = list.map((params) => createRequest(method, params));
      const responses = await postJson(requests, post);
      const sorted = sortResponses(
        responses,
        requests.map(({ id }) => id),
      );
      return sorted?.map((response) => parseResult(response, schema)) ?? null;
    });

  const callMany: Provider['callMany'] = async <T>(
    method: string,
    paramsList: readonly (readonly unknown[])[],
    schema: z.ZodType<T>,
  ): Promise<T[]> => {
    const results: T[] = [];
    for (let start = 0; start < paramsList.length; start += MAX_BATCH_SIZE) {
      const list = paramsList.slice(start, start + MAX_BATCH_SIZE);
      const batch = supportsBatches ? await callBatch(method, list, schema) : null;
      if (batch === null) supportsBatches = false;
      if (batch === null) for (const params of list) results.push(await call(method, params, schema));
      else results.push(...batch);
    }
    return results;
  };
  return { label, call, callMany };
}
