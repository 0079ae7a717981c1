import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpClient, type HttpClient } from '../../apps/web-e2e/support/attacks/http-client.ts';
import { createPayer } from '../../apps/web-e2e/support/attacks/payer.ts';

/** Number of responses by HTTP status; `error` counts requests without a response. */
export type FloodCounts = Readonly<Record<string, number>>;

type Request = Parameters<HttpClient['send']>[0];

interface Attack {
  /** Number of clients that send one request after the other. Each client has its own address. */
  readonly clients: number;
  /** Pause of each client between two requests, in milliseconds. */
  readonly pauseMs: number;
  readonly createRequest: (client: number, index: number) => Request;
  /** Creates the requests before the attack starts; `createRequest` then is not used. */
  readonly prepare?: (url: string) => Promise<readonly Request[]>;
}

const WORDS =
  'wether forcast currancy exchnge weathr tempreture holliday calender trasaction walet blokchain adress geolocaton sentimnt translaton sumary embeding anlysis marktes prise cotation stokc nuews artcle vidoe imgae'.split(
    ' ',
  );
const PAYMENT_COUNT = 400;
const TRUST = { path: '/v1/x402-trust', body: { resource: 'https://fxline.sandbox.test/v1/rates/latest' } };
const MCP = {
  method: 'POST',
  path: '/mcp',
  headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-03-26' },
} as const;

/** Changes one letter of a word, so that no two queries are equal. */
function misspell(word: string, seed: number): string {
  const position = seed % word.length;
  const letter = String.fromCharCode(97 + ((seed * 7) % 26));
  return `${word.slice(0, position)}${letter}${word.slice(position)}`;
}

function createQuery(client: number, index: number): string {
  const seed = client * 1_009 + index * 31;
  return Array.from({ length: 20 }, (_, word) =>
    misspell(WORDS[(seed + word * 5) % WORDS.length] ?? '', seed + word),
  ).join(' ');
}

const createCall = (id: number, method: string, params: object): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** Attacks that cost their sender nothing, by the name in the table of the benchmark. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'misspelt searches, 10 addresses, 50 per second': {
    clients: 10,
    pauseMs: 200,
    createRequest: (client, index) => ({
      path: `/explore?q=${encodeURIComponent(createQuery(client, index))}`,
    }),
  },
  'MCP: 16 connections, ten resources each': {
    clients: 16,
    pauseMs: 0,
    createRequest: createReads,
  },
  'MCP: 200 connections, ten resources each': {
    clients: 200,
    pauseMs: 0,
    createRequest: createReads,
  },
  'MCP: 50 connections, calls with 500 invalid items': {
    clients: 50,
    pauseMs: 0,
    createRequest: (_, index) => ({
      ...MCP,
      body: createCall(index, 'tools/call', {
        name: 'x402_trust_bulk',
        arguments: { resources: Array.from({ length: 500 }, (_item, item) => item) },
      }),
    }),
  },
  'documents: 200 connections, gzip': {
    clients: 200,
    pauseMs: 0,
    createRequest: () => ({ path: '/openapi.json', headers: { 'accept-encoding': 'gzip' } }),
  },
  'unknown pages: 50 IPv6 networks of one /48': {
    clients: 50,
    pauseMs: 0,
    createRequest: (client, index) => ({
      path: `/endpoint/unknown-${toLetters(client * 100_000 + index)}`,
      headers: { 'x-forwarded-for': `2001:db8:7:${client.toString(16)}::1` },
    }),
  },
  'payments of empty wallets: 20 connections': {
    clients: 20,
    pauseMs: 0,
    createRequest: () => TRUST,
    prepare: async (url) => {
      const client = createHttpClient(url, '127.0.0.8');
      const requests: Request[] = [];
      for (let wallet = 0; wallet < PAYMENT_COUNT / 20; wallet += 1) {
        const payments = await createPayer().sign(client, TRUST, 20);
        requests.push(...payments.map((headers) => ({ method: 'POST', ...TRUST, headers })));
      }
      client.close();
      return requests;
    },
  },
};

function createReads(): Request {
  const uris = ['llms.txt', 'schemas/x402-trust', 'methodology'];
  return {
    ...MCP,
    body: Array.from({ length: 10 }, (_, id) =>
      createCall(id, 'resources/read', { uri: `touchstone://${uris[id % uris.length] ?? ''}` }),
    ),
  };
}

/** Writes a number with ten letters of base 32, as the ids of endpoints have them. */
function toLetters(number: number): string {
  return number
    .toString(26)
    .replaceAll(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    .padStart(10, 'a');
}

async function run(url: string, name: string): Promise<void> {
  const attack = ATTACKS[name];
  if (attack === undefined) throw new Error(`There is no attack "${name}".`);
  const counts: Record<string, number> = {};
  process.on('message', () => process.send?.(counts));
  const prepared = await attack.prepare?.(url);
  const runClient = async (client: number): Promise<void> => {
    const connection = createHttpClient(url, `127.0.1.${client}`, { keepAlive: true });
    const own = { 'x-forwarded-for': `198.51.100.${client}` };
    for (let index = 0; ; index += 1) {
      const position = client + index * attack.clients;
      const request =
        prepared === undefined ? attack.createRequest(client, index) : prepared[position % prepared.length];
      if (request === undefined) return;
      const { status } = await connection
        .send({ ...request, headers: { ...own, ...request.headers } })
        .catch(() => ({ status: 'error' }));
      counts[status] = (counts[status] ?? 0) + 1;
      await sleep(attack.pauseMs);
    }
  };
  await Promise.all(Array.from({ length: attack.clients }, (_, client) => runClient(client)));
}

const [url, name] = process.argv.slice(2);
if (import.meta.main && url !== undefined && name !== undefined) await run(url, name);
