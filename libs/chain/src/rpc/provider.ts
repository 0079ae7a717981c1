import { z } from 'zod';
import { postJson, type PostOptions } from './post-json.ts';
import { RpcFailure, type RpcFailureKind } from './rpc-failure.ts';

export interface ProviderOptions extends PostOptions {
  /** What it is called in messages, in place of its URL. */
  readonly label: string;
  readonly sleep: (ms: number) => Promise<void>;
}

/** One RPC URL. Calls wait and ask again while the provider is busy or away, within bounds, and throw RpcFailure. */
export interface Provider {
  readonly label: string;
  readonly call: <T>(method: string, params: readonly unknown[], schema: z.ZodType<T>) => Promise<T>;
  /** The same method with many parameters, in few requests; answers in their order. */
  readonly callMany: <T>(
    method: string,
    paramsList: readonly (readonly unknown[])[],
    schema: z.ZodType<T>,
  ) => Promise<T[]>;
}

const answerSchema = z.object({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number().optional(), message: z.string().optional() }).nullish(),
});
type Answer = z.infer<typeof answerSchema>;

/** Rate limits that come as errors of JSON-RPC. Sources: the error pages of Infura, Alchemy, QuickNode and Ankr. */
const RATE_LIMIT = /too many requests|rate.?limit|per second|compute units|throughput|request count/i;
const RATE_CODES = new Set([429, -32029, -32097]);

function failureOf({ code, message = '' }: NonNullable<Answer['error']>): RpcFailure {
  if ((code !== undefined && RATE_CODES.has(code)) || RATE_LIMIT.test(message)) {
    return new RpcFailure('busy', `answered that it is asked too often (${code ?? 'no code'})`);
  }
  // Texts differ from provider to provider and may repeat the URL, so only the code is handed on. Whether less would
  // have been answered is found out by asking for less.
  return new RpcFailure('too-much', `answered error ${code ?? 'without a code'}`);
}

function resultOf<T>(answer: unknown, schema: z.ZodType<T>): T {
  const read = answerSchema.safeParse(answer);
  if (!read.success) throw new RpcFailure('unusable', 'answered something that is not JSON-RPC');
  if (read.data.error) throw failureOf(read.data.error);
  const result = schema.safeParse(read.data.result);
  if (!result.success) throw new RpcFailure('unusable', 'answered a result of another shape');
  return result.data;
}

const BATCH = 100;
/** How often is asked in all, by what was wrong; what is not named here is not asked again. */
const ATTEMPTS: Partial<Record<RpcFailureKind, number>> = { busy: 5, missing: 3 };
const FIRST_WAIT_MS = 500;
/** Who asks for a longer rest is left, for another provider. */
const LONGEST_WAIT_MS = 10_000;

async function patiently<T>(sleep: ProviderOptions['sleep'], ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RpcFailure) || attempt >= (ATTEMPTS[error.kind] ?? 1)) throw error;
      const wait = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
      if (wait > LONGEST_WAIT_MS) throw error;
      await sleep(wait);
    }
  }
}

/** Answers of a batch in the order of its questions; null where the provider takes no batches. */
function inOrder(answers: unknown, ids: readonly number[]): unknown[] | null {
  if (!Array.isArray(answers)) return null;
  const byId = new Map<unknown, unknown>();
  for (const answer of answers) {
    const read = answerSchema.safeParse(answer);
    if (read.success) byId.set(read.data.id, answer);
  }
  return ids.map((id) => {
    if (!byId.has(id)) throw new RpcFailure('unusable', 'left out answers of a batch');
    return byId.get(id);
  });
}

/** Opens an RPC URL. No request is made yet. */
export function createProvider({ label, sleep, ...post }: ProviderOptions): Provider {
  let lastId = 0;
  let takesBatches = true;
  const question = (method: string, params: readonly unknown[]) => {
    lastId += 1;
    return { jsonrpc: '2.0', id: lastId, method, params };
  };
  const call: Provider['call'] = (method, params, schema) =>
    patiently(sleep, async () => resultOf(await postJson(question(method, params), post), schema));

  const callBatch = <T>(method: string, list: readonly (readonly unknown[])[], schema: z.ZodType<T>) =>
    patiently(sleep, async (): Promise<T[] | null> => {
      const questions = list.map((params) => question(method, params));
      const answers = await postJson(questions, post);
      const ordered = inOrder(
        answers,
        questions.map(({ id }) => id),
      );
      return ordered?.map((answer) => resultOf(answer, schema)) ?? null;
    });

  const callMany: Provider['callMany'] = async <T>(
    method: string,
    paramsList: readonly (readonly unknown[])[],
    schema: z.ZodType<T>,
  ): Promise<T[]> => {
    const results: T[] = [];
    for (let start = 0; start < paramsList.length; start += BATCH) {
      const list = paramsList.slice(start, start + BATCH);
      const answered = takesBatches ? await callBatch(method, list, schema) : null;
      if (answered === null) takesBatches = false;
      if (answered === null) for (const params of list) results.push(await call(method, params, schema));
      else results.push(...answered);
    }
    return results;
  };
  return { label, call, callMany };
}
