import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from './inngest-signing.ts';

interface SentEvent {
  readonly id?: string;
  /** Time of delivery, milliseconds since the epoch. */
  readonly ts?: number;
  readonly name: string;
  readonly data: Record<string, unknown>;
}

interface FunctionConfig {
  readonly id: string;
  readonly triggers: readonly { readonly event?: string; readonly cron?: string }[];
  readonly concurrency?: unknown;
  readonly idempotency?: string;
  readonly timeouts?: unknown;
  readonly steps: Record<
    string,
    { readonly runtime: { readonly url: string }; readonly retries?: { readonly attempts: number } }
  >;
}

interface Operation {
  readonly id: string;
  readonly op: string;
  readonly displayName?: string;
  readonly data?: unknown;
  readonly error?: unknown;
}

interface RunResult {
  readonly functionId: string;
  readonly runId: string;
  /** Return value of the function; the error of the function if the run failed. */
  readonly output: unknown;
  readonly failed: boolean;
  /** Names of the finished steps, in the order in which they finished. */
  readonly steps: readonly string[];
  /** Number of failed attempts. */
  readonly errors: number;
}

export interface InngestServer {
  /** Base URL to which the client sends events and registrations. */
  readonly url: string;
  /** Functions of the last registration. */
  readonly functions: FunctionConfig[];
  /**
   * Events that the application sent, without duplicate ids. The list also contains the events that Inngest itself
   * sends for failed runs.
   */
  readonly events: SentEvent[];
  /** Number of copies of each request that are sent at the same time. Only the first response is used. */
  deliveries: number;
  /**
   * Function that is called after each request to a function. `status` is the HTTP status, or null if the connection
   * failed. Resolves to true if the response is lost. A request without a response is repeated. By default no response
   * is lost.
   */
  isResponseLost: (request: {
    readonly functionId: string;
    readonly status: number | null;
  }) => Promise<boolean>;
  /** Runs a function with an event until the function ends. Throws when a step returns more than 4 KiB. */
  run(functionId: string, event?: SentEvent): Promise<RunResult>;
  /** Runs the functions for all events that were sent so far, and for the events that these functions send. */
  drain(): Promise<readonly RunResult[]>;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}

/**
 * Starts a simulated Inngest server. The server accepts registrations and events, and calls functions with signed
 * requests. The server stores the results of finished steps and sends these results with the next call, until the
 * function ends.
 */
export async function startInngestServer(options: {
  readonly signingKey: string;
  /** Returns the URL of the application, which is known only after its server has started. */
  readonly application: () => string;
}): Promise<InngestServer> {
  const queue = { drained: 0, ids: new Set<string>() };
  const http: Server = createServer((request, response) => {
    void readBody(request).then((body) => {
      if (request.url?.startsWith('/fn/register')) {
        // Only the application of the test sends registrations, so the body needs no validation.
        server.functions.splice(0, Infinity, ...(body as { functions: FunctionConfig[] }).functions);
        response.end('{"ok":true,"status":200,"modified":true}');
        return;
      }
      if (!request.url?.startsWith('/e/')) {
        response.writeHead(404).end('{}');
        return;
      }
      // The client sends a list of events to this URL.
      const sent = body as SentEvent[];
      const fresh = sent.filter(({ id }) => id === undefined || !queue.ids.has(id));
      for (const { id } of sent) if (id !== undefined) queue.ids.add(id);
      server.events.push(...fresh);
      response.end(JSON.stringify({ ids: sent.map(({ id }) => id ?? randomUUID()), status: 200 }));
    });
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const { port } = http.address() as AddressInfo;

  const server: InngestServer = {
    url: `http://127.0.0.1:${port}/`,
    functions: [],
    events: [],
    deliveries: 1,
    isResponseLost: () => Promise.resolve(false),
    run: async (functionId, event = { name: 'inngest/scheduled.timer', data: {} }) => {
      const result = await runFunction({ ...options, ...server }, functionId, event);
      if (result.failed) server.events.push(createFailedEvent(result, event));
      return result;
    },
    drain: async () => {
      const runs: RunResult[] = [];
      while (queue.drained < server.events.length) {
        const event = server.events[queue.drained];
        queue.drained += 1;
        const triggered = server.functions.filter(({ triggers }) =>
          triggers.some((trigger) => trigger.event === event?.name),
        );
        for (const { id } of triggered) runs.push(await server.run(id, event));
      }
      return runs;
    },
    close: () => new Promise((done) => http.close(() => done())),
  };
  return server;
}

/** Creates the event that Inngest sends after a run has failed in all its attempts. */
function createFailedEvent({ functionId, runId, output }: RunResult, event: SentEvent): SentEvent {
  const error = typeof output === 'string' ? { message: output } : output;
  return { name: 'inngest/function.failed', data: { function_id: functionId, run_id: runId, error, event } };
}

interface RunOptions extends Pick<InngestServer, 'deliveries' | 'isResponseLost'> {
  readonly signingKey: string;
  readonly application: () => string;
}

/** Maximum number of calls per run of a function, more than any test needs. */
const MAX_CALLS = 100;
const MAX_ATTEMPTS = 3;
/**
 * Maximum size of the result of a step, in bytes. Inngest allows 4 MB, but it sends the results of all steps with each
 * request, and a run can have 200 steps.
 */
const MAX_STEP_BYTES = 4 * 1024;
const NO_REPLY = { status: null, result: 'There is no response.', noRetry: false };

async function runFunction(options: RunOptions, functionId: string, event: SentEvent): Promise<RunResult> {
  const state: { id: string; name: string; value: unknown }[] = [];
  const runId = randomUUID();
  let attempt = 0;
  let errors = 0;
  const end = (output: unknown, failed: boolean): RunResult => ({
    functionId,
    runId,
    output,
    failed,
    steps: state.map(({ name }) => name),
    errors,
  });
  for (let call = 0; call < MAX_CALLS; call += 1) {
    const body = {
      event,
      events: [event],
      steps: Object.fromEntries(state.map(({ id, value }) => [id, value])),
      ctx: {
        run_id: runId,
        fn_id: functionId,
        qi_id: randomUUID(),
        attempt,
        disable_immediate_execution: false,
        use_api: false,
        stack: { stack: state.map(({ id }) => id), current: state.length },
      },
      version: 2,
      use_api: false,
    };
    const { status, result, noRetry } = await deliverOrLose(options, functionId, body);
    if (status === 200) return end(result, false);
    const operations = status === 206 ? (result as Operation[]) : [];
    const failure = status === 206 ? operations.find(({ op }) => /Error|Failed/.test(op)) : { error: result };
    if (failure !== undefined) {
      errors += 1;
      attempt += 1;
      if (noRetry || attempt >= MAX_ATTEMPTS) return end(failure.error, true);
      continue;
    }
    attempt = 0;
    for (const { id, displayName = id, data } of operations) {
      const bytes = Buffer.byteLength(JSON.stringify(data ?? null));
      if (bytes > MAX_STEP_BYTES) throw new Error(`the step ${displayName} returned ${bytes} bytes`);
      state.push({ id, name: displayName, value: { type: 'data', data } });
    }
  }
  throw new Error(`${functionId} did not end within ${MAX_CALLS} calls`);
}

/** Delivers a request. Its status is null if the connection failed or the response is lost. */
async function deliverOrLose(options: RunOptions, functionId: string, body: object) {
  const reply = await deliver(options, functionId, body).catch((error: unknown) => {
    // `fetch` rejects with a TypeError when the connection fails.
    if (error instanceof TypeError) return NO_REPLY;
    throw error;
  });
  return (await options.isResponseLost({ functionId, status: reply.status })) ? NO_REPLY : reply;
}

async function deliver(
  { signingKey, application, deliveries }: RunOptions,
  functionId: string,
  body: object,
) {
  const request = () =>
    fetch(`${application()}?fnId=${encodeURIComponent(functionId)}&stepId=step`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-inngest-signature': sign(body, signingKey, Math.floor(Date.now() / 1000)),
      },
      body: JSON.stringify(body),
    });
  const [first] = await Promise.all(
    Array.from({ length: deliveries }, async () => {
      const response = await request();
      return { response, text: await response.text() };
    }),
  );
  if (!first) throw new Error('a request is delivered at least once');
  const { response, text } = first;
  const signature = response.headers.get('x-inngest-signature') ?? '';
  const seconds = Number(new URLSearchParams(signature).get('t'));
  if (sign(text, signingKey, seconds) !== signature) throw new Error(`the response is not signed: ${text}`);
  return {
    status: response.status,
    result: JSON.parse(text) as unknown,
    noRetry: response.headers.get('x-inngest-no-retry') === 'true',
  };
}
