import { BodyTooLargeError, parseRetryAfter, readBoundedText } from '@touchstone/common';
import { z } from 'zod';
import { classifyRpcError, type RpcError, type RpcFailureKind } from './rpc-error.ts';

/**
 * Thrown when a provider did not respond or its response was invalid. The message continues a sentence that begins with
 * the provider's name, such as "does not have block 7". The message never contains the provider's URL, because the URL
 * may contain an API key.
 */
export class RpcFailure extends Error {
  readonly kind: RpcFailureKind;
  /** Pause that the provider requested, in milliseconds; null when the provider requested no pause. */
  readonly retryAfterMs: number | null;

  constructor(kind: RpcFailureKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'RpcFailure';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Thrown when no provider of a network could be read. Payment figures are then not measured; they are not zero. */
export class ChainUnreadableError extends Error {
  readonly network: string;

  constructor(network: string, reasons: readonly string[]) {
    super(`Could not read ${network}: ${reasons.join('; ')}`);
    this.name = 'ChainUnreadableError';
    this.network = network;
  }
}

interface PostOptions {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /**
   * Returns the current time in milliseconds since the epoch. `Retry-After` dates are compared with this time when the
   * response has no `Date` header.
   */
  readonly now: () => number;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

function checkStatus({ status, headers }: Response, now: number): void {
  const retryAfterMs = parseRetryAfter(headers, now);
  if (status === 429 || (status === 503 && retryAfterMs !== null)) {
    throw new RpcFailure('rate-limited', `responded ${status}`, retryAfterMs);
  }
  if (status === 413) throw new RpcFailure('too-large', 'responded 413');
  if (status >= 300 && status < 400) throw new RpcFailure('unusable', 'responded with a redirect');
  if (status === 401 || status === 403) throw new RpcFailure('unusable', `responded ${status}`);
  // All other statuses are accepted here, and the body is read: some providers send JSON-RPC errors with status 400 or
  // 500.
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcFailure(
      status >= 500 ? 'unavailable' : 'unusable',
      `responded ${status} with a body that is not JSON`,
    );
  }
}

interface HttpResult {
  readonly json: unknown;
  readonly status: number;
}

/**
 * Posts a JSON body and returns the parsed JSON response, within a timeout and a maximum response size.
 * @throws RpcFailure whose message does not contain the URL
 */
async function postJson(body: object, options: PostOptions): Promise<HttpResult> {
  const { url, fetch, now, timeoutMs, maxBytes } = options;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    checkStatus(response, now());
    const { status } = response;
    return { json: parseJson(await readBoundedText(response.body, maxBytes), status), status };
  } catch (error) {
    if (error instanceof RpcFailure) throw error;
    if (error instanceof BodyTooLargeError) {
      throw new RpcFailure('too-large', `responded with more than ${maxBytes} bytes`);
    }
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new RpcFailure('slow', `did not respond within ${timeoutMs} ms`);
    }
    // The error has no `cause`, because the message of the cause may contain the URL.
    throw new RpcFailure('unavailable', 'could not be reached');
  }
}

export interface ProviderOptions extends PostOptions {
  /** Name of the provider in error messages. The URL is not used in messages, because it may contain an API key. */
  readonly label: string;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Client of one RPC URL. A call is retried when the provider is rate-limited or unavailable. After the last attempt,
 * the call throws `RpcFailure`.
 */
export interface Provider {
  readonly label: string;
  readonly call: <T>(method: string, params: readonly unknown[], schema: z.ZodType<T>) => Promise<T>;
  /**
   * Calls one method with several parameter lists, in batches. Returns the results in the order of the parameter lists.
   */
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

/** The message has only the error code, because the error text may contain the URL. */
function toFailure(error: RpcError, status: number): RpcFailure {
  const kind = classifyRpcError(error, status);
  const name = kind === 'rate-limited' ? 'a rate limit error' : 'error';
  return new RpcFailure(kind, `responded with ${name} ${error.code ?? 'without a code'}`);
}

function parseResult<T>({ json, status }: HttpResult, schema: z.ZodType<T>): T {
  const parsed = responseSchema.safeParse(json);
  if (parsed.data?.error) throw toFailure(parsed.data.error, status);
  const result = schema.safeParse(parsed.data?.result);
  if (result.success) return result.data;
  if (status >= 500) throw new RpcFailure('unavailable', `responded ${status}`);
  throw new RpcFailure(
    'unusable',
    parsed.success ? 'sent a result in an unexpected format' : 'sent a response that is not JSON-RPC',
  );
}

const MAX_BATCH_SIZE = 100;
/** Maximum number of attempts for each kind of failure. Kinds that are not listed are not retried. */
const MAX_ATTEMPTS: Partial<Record<RpcFailureKind, number>> = { 'rate-limited': 5, unavailable: 3 };
/** Pause before the first retry, in milliseconds. The pause doubles with each retry. */
const FIRST_PAUSE_MS = 500;
/**
 * Maximum pause before a retry, in milliseconds. When the provider demands a longer pause, another provider is used.
 */
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

/** Thrown when a provider responds to a batch with one error, and not with one response for each call. */
class BatchRefusal extends RpcFailure {}

/**
 * Sorts the responses of a batch into the order of the request ids.
 *
 * @throws BatchRefusal when the response is not an array
 */
function sortResponses({ json, status }: HttpResult, ids: readonly number[]): HttpResult[] {
  if (!Array.isArray(json)) {
    // Some providers refuse all batches with status 500, so the status does not decide. A retry of a batch cannot help
    // if the error names batches.
    const error = responseSchema.safeParse(json).data?.error ?? {};
    const { kind, message } = toFailure(error, 200);
    throw new BatchRefusal(/batch/i.test(error.message ?? '') ? 'too-large' : kind, message);
  }
  const byId = new Map<unknown, unknown>();
  for (const response of json) {
    const parsed = responseSchema.safeParse(response);
    if (parsed.success) byId.set(parsed.data.id, response);
  }
  return ids.map((id) => {
    if (!byId.has(id)) throw new RpcFailure('unusable', 'omitted responses of a batch');
    return { json: byId.get(id), status };
  });
}

/** Creates a client for an RPC URL. No request is sent yet. */
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

  /** Returns null when the provider refuses the batch, also after retries, or its response is too large. */
  const callBatch = async <T>(
    method: string,
    list: readonly (readonly unknown[])[],
    schema: z.ZodType<T>,
  ) => {
    try {
      return await callWithRetries(sleep, async (): Promise<T[]> => {
        const requests = list.map((params) => createRequest(method, params));
        const responses = await postJson(requests, post);
        const ids = requests.map(({ id }) => id);
        return sortResponses(responses, ids).map((response) => parseResult(response, schema));
      });
    } catch (error) {
      if (!(error instanceof BatchRefusal || (error instanceof RpcFailure && error.kind === 'too-large')))
        throw error;
      // A failure of a kind that is retried can end, so the next batch is sent again.
      if (MAX_ATTEMPTS[error.kind] === undefined) supportsBatches = false;
      return null;
    }
  };

  const callMany: Provider['callMany'] = async <T>(
    method: string,
    paramsList: readonly (readonly unknown[])[],
    schema: z.ZodType<T>,
  ): Promise<T[]> => {
    const results: T[] = [];
    for (let start = 0; start < paramsList.length; start += MAX_BATCH_SIZE) {
      const list = paramsList.slice(start, start + MAX_BATCH_SIZE);
      const batch = supportsBatches ? await callBatch(method, list, schema) : null;
      if (batch === null) for (const params of list) results.push(await call(method, params, schema));
      else results.push(...batch);
    }
    return results;
  };
  return { label, call, callMany };
}
