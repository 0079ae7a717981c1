import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { z } from 'zod';

const noteSchema = z.object({ controlUrl: z.url(), caFile: z.string() });
const zoneSchema = z.object({
  address: z.string(),
  port: z.int(),
  unresolvable: z.array(z.string()),
  overrides: z.record(z.string(), z.object({ port: z.int() })),
});
type Zone = z.infer<typeof zoneSchema>;

/** Maximum length of all response headers, in bytes. Some endpoints exceed Node's default of 16 KiB on purpose. */
const MAX_HEADER_BYTES = 65_536;

/**
 * Access to the simulated hosts of a running sandbox. It uses the name resolution and the certificate authority of the
 * sandbox.
 */
export interface SandboxNetwork {
  /** Agent for `node:https` and for axios. */
  readonly agent: Agent;
  /** Equivalent of `fetch` that follows no redirects. */
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Opens the network of a running sandbox. The global `fetch` of Node cannot reach the sandbox, because it resolves
 * names with the operating system.
 *
 * @param dataDir data folder of the service; the default is the folder of the shared service
 */
export async function openSandboxNetwork(
  dataDir: string = process.env['TOUCHSTONE_DATA_DIR'] ?? '',
): Promise<SandboxNetwork> {
  const note = noteSchema.parse(JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')));
  const zone = zoneSchema.parse(await (await fetch(new URL('/zone', note.controlUrl))).json());
  const agent = new SandboxAgent(zone, readFileSync(note.caFile, 'utf8'));
  return { agent, fetch: (input, init) => send(new Request(input, init), agent) };
}

class SandboxAgent extends Agent {
  readonly #zone: Zone;
  readonly #ca: string;

  constructor(zone: Zone, ca: string) {
    super();
    this.#zone = zone;
    this.#ca = ca;
  }

  override createConnection({ host, servername }: RequestOptions) {
    const name = servername ?? host ?? '';
    const { address, port, unresolvable, overrides } = this.#zone;
    if (unresolvable.includes(name)) throw new Error(`${name} does not resolve in the sandbox`);
    const target = { host: address, port: overrides[name]?.port ?? port };
    return connect({ ...target, servername: name, ca: this.#ca });
  }
}

async function send(sent: Request, agent: Agent): Promise<Response> {
  const body = Buffer.from(await sent.arrayBuffer());
  const outgoing = request(sent.url, {
    agent,
    method: sent.method,
    headers: Object.fromEntries(sent.headers),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: sent.signal,
  });
  outgoing.end(body);
  // The event `response` has one argument of this type, so the cast is safe. `once` rejects when the request emits an
  // error.
  const [received] = (await once(outgoing, 'response')) as [IncomingMessage];
  const headers = Object.entries(received.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(await buffer(received), { status: received.statusCode ?? 0, headers });
}
