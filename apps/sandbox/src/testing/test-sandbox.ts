import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, readBoundedText } from '@touchstone/common';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import type { SandboxConfig } from '../config.ts';
import { createSandbox } from '../sandbox.ts';
import type { SandboxReady } from '../start-sandbox.ts';

/** Start of the simulated time in tests. */
export const TEST_EPOCH = '2026-01-01T00:00:00.000Z';

/** Returns the time `day` days after {@link TEST_EPOCH}, ISO 8601. Fractions of a day are allowed. */
export function toIsoTime(day: number): string {
  return new Date(Date.parse(TEST_EPOCH) + day * DAY_MS).toISOString();
}

const zoneSchema = z.object({
  suffix: z.string(),
  address: z.string(),
  port: z.number(),
  unresolvable: z.array(z.string()),
  overrides: z.record(z.string(), z.object({ port: z.number() })),
});
const clockSchema = z.object({ at: z.string().nullable(), zone: zoneSchema });

export interface HttpResult {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Time from the start of the request to the first byte, in milliseconds. */
  readonly firstByteMs: number;
  /** Time from the start of the request to the last byte, in milliseconds. */
  readonly totalMs: number;
}

/**
 * Response to a request, or an error code such as ECONNREFUSED. The code is ENOTFOUND when the DNS zone of the sandbox
 * has no such host.
 */
export type Outcome = HttpResult | { readonly error: string };

export interface RequestOptions {
  readonly method?: string;
  readonly body?: string;
  readonly timeoutMs?: number;
}

export interface TestSandbox {
  readonly ready: SandboxReady;
  readonly setClock: (at: string | null) => Promise<z.infer<typeof clockSchema>>;
  readonly zone: () => Promise<z.infer<typeof zoneSchema>>;
  /**
   * Sends a request to an endpoint over TLS, on a new connection. Resolves the host with the current DNS zone of the
   * sandbox.
   */
  readonly request: (url: string, options?: RequestOptions) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

const MAX_BODY_BYTES = 1_048_576;

function getErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}

interface ConnectOptions extends RequestOptions {
  readonly ca: string;
  readonly address: string;
  readonly port: number;
}

/**
 * Sends a request with the path exactly as written in `url`. A `URL` object would encode the braces of a path template.
 */
function sendRequest(
  url: string,
  { ca, address, port, method = 'GET', body, timeoutMs = 30_000 }: ConnectOptions,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const { hostname } = new URL(url);
    const fail = (error: unknown) => resolve({ error: getErrorCode(error) });
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
    outgoing.once('error', fail);
    outgoing.once('response', (response) => {
      const firstByteMs = performance.now() - started;
      const { statusCode: status = 0, headers } = response;
      readBoundedText(response, MAX_BODY_BYTES).then(
        (text) => resolve({ status, headers, body: text, firstByteMs, totalMs: performance.now() - started }),
        fail,
      );
    });
    outgoing.end(body);
  });
}

function createRequest(zone: TestSandbox['zone'], ca: string): TestSandbox['request'] {
  return async (url, options = {}) => {
    const { unresolvable, overrides, address, port } = await zone();
    const host = new URL(url).hostname;
    if (unresolvable.includes(host)) return { error: 'ENOTFOUND' };
    return sendRequest(url, { ...options, ca, address, port: overrides[host]?.port ?? port });
  };
}

export async function createTestClient(ready: SandboxReady): Promise<Omit<TestSandbox, 'close'>> {
  const ca = await readFile(ready.caFile, 'utf8');
  const zone = async () => zoneSchema.parse(await (await fetch(`${ready.controlUrl}/zone`)).json());
  const setClock = async (at: string | null) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ at });
    const response = await fetch(`${ready.controlUrl}/clock`, { method: 'PUT', headers, body });
    return clockSchema.parse(await response.json());
  };
  return { ready, zone, setClock, request: createRequest(zone, ca) };
}

export async function createTemporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sandbox-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Returns the configuration of a test sandbox, with free ports. */
function createTestConfig(dataDir: string, changes: Partial<SandboxConfig> = {}): SandboxConfig {
  return {
    dataDir,
    seed: null,
    epoch: TEST_EPOCH,
    historyDays: 14,
    // Only tests of payments need a chain. Other tests start faster without a chain.
    chain: false,
    salesNetwork: 'eip155:8453',
    listingsFile: null,
    serviceUrl: null,
    tlsPort: 0,
    directoryPort: 0,
    controlPort: 0,
    facilitatorPort: 0,
    chainPorts: new Map(),
    receiverPort: 0,
    ...changes,
  };
}

function reportToStderr(message: string): void {
  process.stderr.write(`sandbox: ${message}\n`);
}

/** Opens a sandbox in a temporary folder, with its clock stopped at the epoch. */
export async function openTestSandbox(changes: Partial<SandboxConfig> = {}): Promise<TestSandbox> {
  const folder = await createTemporaryFolder();
  const sandbox = await createSandbox(createTestConfig(folder.path, changes), {
    warn: reportToStderr,
    fail: reportToStderr,
  });
  const client = await createTestClient(sandbox.ready);
  await client.setClock(TEST_EPOCH);
  const close = async () => {
    sandbox.close();
    await folder.remove();
  };
  return { ...client, close };
}

/**
 * Opens a sandbox before the tests of a file, and closes it after the last test. Its clock stops at the simulated day
 * `day` before each test.
 */
export function useTestSandbox(day = 0): TestSandbox {
  // The cast is safe, because tests run after `beforeAll`.
  const sandbox = {} as TestSandbox;
  beforeAll(async () => void Object.assign(sandbox, await openTestSandbox()));
  beforeEach(() => sandbox.setClock(toIsoTime(day)));
  afterAll(() => sandbox.close());
  return sandbox;
}
