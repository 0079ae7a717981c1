import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { SandboxConfig } from './config.ts';
import { createSandbox } from './sandbox.ts';
import type { SandboxReady } from './sandbox-ready.ts';

/** The first moment of every world that tests open. */
export const TEST_EPOCH = '2026-01-01T00:00:00.000Z';

/** A moment so many days after {@link TEST_EPOCH}, ISO 8601. */
export const onDay = (day: number): string =>
  new Date(Date.parse(TEST_EPOCH) + day * 86_400_000).toISOString();

const zoneSchema = z.object({
  suffix: z.string(),
  address: z.string(),
  port: z.number(),
  unresolvable: z.array(z.string()),
  overrides: z.record(z.string(), z.object({ port: z.number() })),
});
const clockReplySchema = z.object({ at: z.string().nullable(), zone: zoneSchema });

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** From the start of the request to the first byte, and to the last, in milliseconds. */
  readonly firstByteMs: number;
  readonly totalMs: number;
}

/** `error` is a code such as ECONNREFUSED; ENOTFOUND for a name the zone does not resolve. */
export type Outcome = HttpAnswer | { readonly error: string };

export interface AskOptions {
  readonly method?: string;
  readonly body?: string;
  readonly timeoutMs?: number;
}

export interface TestWorld {
  readonly ready: SandboxReady;
  readonly setClock: (at: string | null) => Promise<z.infer<typeof clockReplySchema>>;
  readonly zone: () => Promise<z.infer<typeof zoneSchema>>;
  /** Asks an endpoint over TLS on a fresh connection, finding it by the zone as it is now. */
  readonly ask: (url: string, options?: AskOptions) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : error.message);

interface Dial extends AskOptions {
  readonly ca: string;
  readonly address: string;
  readonly port: number;
}

/** The path goes out as it was written: a template's braces are part of the question. */
const dial = (
  url: string,
  { ca, address, port, method = 'GET', body, timeoutMs = 8_000 }: Dial,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const { hostname } = new URL(url);
    const started = performance.now();
    const outgoing = request({
      host: address,
      port,
      path: url.replace(/^https:\/\/[^/]+/, ''),
      method,
      servername: hostname,
      headers: { host: hostname, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ca,
      agent: false,
      maxHeaderSize: 65_536,
      signal: AbortSignal.timeout(timeoutMs),
    });
    outgoing.once('error', (error) => resolve({ error: codeOf(error) }));
    outgoing.once('response', (response) => {
      const firstByteMs = performance.now() - started;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', (error) => resolve({ error: codeOf(error) }));
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          firstByteMs,
          totalMs: performance.now() - started,
        }),
      );
    });
    outgoing.end(body);
  });

const asking =
  (zone: TestWorld['zone'], ca: string): TestWorld['ask'] =>
  async (url, options = {}) => {
    const { unresolvable, overrides, address, port } = await zone();
    const host = new URL(url).hostname;
    if (unresolvable.includes(host)) return { error: 'ENOTFOUND' };
    return dial(url, { ...options, ca, address, port: overrides[host]?.port ?? port });
  };

/** Asks the world behind the URLs of a running sandbox. */
export const clientOf = async (ready: SandboxReady): Promise<Omit<TestWorld, 'close'>> => {
  const ca = await readFile(ready.caFile, 'utf8');
  const zone = async () => zoneSchema.parse(await (await fetch(`${ready.controlUrl}/zone`)).json());
  const setClock = async (at: string | null) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ at });
    const response = await fetch(`${ready.controlUrl}/clock`, { method: 'PUT', headers, body });
    return clockReplySchema.parse(await response.json());
  };
  return { ready, zone, setClock, ask: asking(zone, ca) };
};

/** A folder of its own for one test, and how to remove it. */
export const temporaryFolder = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'sandbox-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/** The configuration of a world in a folder, every port any free one. */
const testConfig = (dataDir: string, changes: Partial<SandboxConfig> = {}): SandboxConfig => ({
  dataDir,
  seed: null,
  epoch: TEST_EPOCH,
  historyDays: 14,
  // Tests of payments ask for one; the others start faster without.
  chain: false,
  listingsFile: null,
  tlsPort: 0,
  directoryPort: 0,
  controlPort: 0,
  ...changes,
});

/** Opens a world in a folder of its own, with time stopped at its first moment. */
export const openTestWorld = async (changes: Partial<SandboxConfig> = {}): Promise<TestWorld> => {
  const folder = await temporaryFolder();
  const sandbox = await createSandbox(testConfig(folder.path, changes));
  const client = await clientOf(sandbox.ready);
  await client.setClock(TEST_EPOCH);
  const close = async () => {
    sandbox.close();
    await folder.remove();
  };
  return { ...client, close };
};
