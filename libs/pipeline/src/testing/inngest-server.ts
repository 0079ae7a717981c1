import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from './inngest-signing.ts';

interface SentEvent {
  readonly id?: string;
  /** When it is to be taken up, milliseconds since the epoch. */
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
  readonly steps: Record<string, { readonly retries?: { readonly attempts: number } }>;
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
  /** What the function returned, or the error that it ended with. */
  readonly output: unknown;
  readonly failed: boolean;
  /** Names of finished steps with the bytes of what each left with Inngest, in order. */
  readonly steps: readonly { readonly name: string; readonly bytes: number }[];
  /** Answers that said an attempt failed. */
  readonly errors: number;
}

export interface InngestServer {
  /** Base URL for the client: events and registrations arrive there. */
  readonly url: string;
  /** What the application registered last. */
  readonly functions: FunctionConfig[];
  /** Events that were sent, each id once. */
  readonly events: SentEvent[];
  /** Times that each request is sent, all at once; the first answer counts. */
  deliveries: number;
  /** Starts a function for an event and drives it to its end. */
  run(functionId: string, event?: SentEvent): Promise<RunResult>;
  /** Drives the functions that wait for the events sent so far, and for those that they send. */
  drain(): Promise<readonly RunResult[]>;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}

/**
 * Does what an Inngest server does for an application: takes its registration and its events, calls its functions with
 * signed requests, keeps what steps return, and calls again with it until the function has ended.
 */
export async function startInngestServer(options: {
  readonly signingKey: string;
  /** Address of the application's handler, known when it listens. */
  readonly application: () => string;
}): Promise<InngestServer> {
  const taken = { drained: 0, ids: new Set<string>() };
  const http: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.url?.startsWith('/fn/register')) {
        // The test's own application speaks here.
        server.functions.splice(0, Infinity, ...(body as { functions: FunctionConfig[] }).functions);
        response.end('{"ok":true,"status":200,"modified":true}');
        return;
      }
      if (!request.url?.startsWith('/e/')) {
        response.writeHead(404).end('{}');
        return;
      }
      // What the client sends to this address is a list of events.
      const sent = body as SentEvent[];
      const fresh = sent.filter(({ id }) => id === undefined || !taken.ids.has(id));
      for (const { id } of sent) if (id !== undefined) taken.ids.add(id);
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
    run: (functionId, event = { name: 'inngest/scheduled.timer', data: {} }) =>
      drive({ ...options, deliveries: server.deliveries }, functionId, event),
    drain: async () => {
      const runs: RunResult[] = [];
      while (taken.drained < server.events.length) {
        const event = server.events[taken.drained];
        taken.drained += 1;
        const waiting = server.functions.filter(({ triggers }) =>
          triggers.some((trigger) => trigger.event === event?.name),
        );
        for (const { id } of waiting) runs.push(await server.run(id, event));
      }
      return runs;
    },
    close: () => new Promise((done) => http.close(() => done())),
  };
  return server;
}

interface Driving {
  readonly signingKey: string;
  readonly application: () => string;
  readonly deliveries: number;
}

/** More than any run of a test needs. */
const MAX_CALLS = 100;
const MAX_ATTEMPTS = 3;

async function drive(driving: Driving, functionId: string, event: SentEvent): Promise<RunResult> {
  const state: { id: string; name: string; value: unknown }[] = [];
  const runId = randomUUID();
  let attempt = 0;
  let errors = 0;
  const end = (output: unknown, failed: boolean): RunResult => ({
    functionId,
    output,
    failed,
    steps: state.map(({ name, value }) => ({ name, bytes: Buffer.byteLength(JSON.stringify(value)) })),
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
    const { status, answer, noRetry } = await deliver(driving, functionId, body);
    if (status === 200) return end(answer, false);
    const operations = status === 206 ? (answer as Operation[]) : [];
    const failure = status === 206 ? operations.find(({ op }) => /Error|Failed/.test(op)) : { error: answer };
    if (failure !== undefined) {
      errors += 1;
      attempt += 1;
      if (noRetry || attempt >= MAX_ATTEMPTS) return end(failure.error, true);
      continue;
    }
    attempt = 0;
    for (const { id, displayName, data } of operations) {
      state.push({ id, name: displayName ?? id, value: { type: 'data', data } });
    }
  }
  throw new Error(`${functionId} did not end within ${MAX_CALLS} calls`);
}

async function deliver({ signingKey, application, deliveries }: Driving, functionId: string, body: object) {
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
  if (sign(text, signingKey, seconds) !== signature) throw new Error(`the answer is not signed: ${text}`);
  return {
    status: response.status,
    answer: JSON.parse(text) as unknown,
    noRetry: response.headers.get('x-inngest-no-retry') === 'true',
  };
}
