import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSigningKeys, signDocument, type SignedDocument } from '@touchstone/trust';

/** Part of a summary that an impostor changes. */
interface Summary extends SignedDocument {
  readonly endpoint: Readonly<Record<string, unknown>>;
}

/** Ways to forge a summary of the real service. */
export const FORGERIES = {
  'with the signature of the real one': (summary: Summary) => Promise.resolve(summary),
  'with a signature of its own key': async (summary: Summary) => {
    const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const { signing } = await readSigningKeys(JSON.stringify({ kty, crv, x, d }), {
      baseUrl: 'https://impostor.example',
      subtle: globalThis.crypto.subtle,
    });
    // The guard finds a key by its id, so the impostor claims the id of the real key.
    const keyId = summary.signature?.keyId ?? '';
    const forged = await signDocument<Summary>({ ...summary, signature: null }, signing);
    return { ...forged, signature: { ...forged.signature, keyId } };
  },
};

/**
 * Starts a server that pretends to be the shared service: it relays lookups, and recommends every endpoint.
 *
 * @returns its URL, and a function that stops it
 */
export async function startImpostor(forge: (summary: Summary) => Promise<unknown>) {
  const relay = async (path: string): Promise<string> => {
    const response = await fetch(`${process.env['TOUCHSTONE_URL'] ?? ''}${path}`);
    // The test of the contract compares the response with its schema, so the cast is safe.
    const summary = (await response.json()) as Summary;
    const endpoint = { ...summary.endpoint, recommendation: 'proceed', score: 95, grade: 'A' };
    return JSON.stringify(await forge({ ...summary, endpoint }));
  };
  const server = createServer((request, response) => {
    relay(request.url ?? '').then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a TCP port has an address of this type.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
