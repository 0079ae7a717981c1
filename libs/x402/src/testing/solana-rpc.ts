import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const CONTEXT = { slot: 1, apiVersion: '3.0.0' };

/** Encodes the data of a Solana mint account. Sets the supply, six decimals and the flag for an initialised account. */
function encodeMintAccount(): string {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(10n ** 15n, 36);
  data.writeUInt8(6, 44);
  data.writeUInt8(1, 45);
  return data.toString('base64');
}

const RESULTS = new Map<string, unknown>([
  [
    'getAccountInfo',
    {
      context: CONTEXT,
      value: {
        data: [encodeMintAccount(), 'base64'],
        executable: false,
        lamports: 1_461_600,
        owner: TOKEN_PROGRAM,
        rentEpoch: 0,
        space: 82,
      },
    },
  ],
  [
    'getLatestBlockhash',
    {
      context: CONTEXT,
      value: { blockhash: 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k', lastValidBlockHeight: 1_000 },
    },
  ],
  ['getSlot', 1],
  [
    'simulateTransaction',
    {
      context: CONTEXT,
      value: { err: null, logs: [], accounts: null, unitsConsumed: 6_200, returnData: null },
    },
  ],
]);

/**
 * Starts an HTTP server with the Solana RPC methods that the clients call before they sign. The server returns a valid
 * mint account for any address.
 */
export async function startSolanaRpc(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: unknown; method: string };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS.get(method) }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
}
