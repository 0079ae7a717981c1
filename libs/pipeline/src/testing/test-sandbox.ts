import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@touchstone/probe/testing';
import { challenge, item } from './world.ts';

/** Host of the endpoints of the test sandbox. */
const HOST = 'weather.sandbox.test';

export interface TestSandbox {
  /** Path of the JSON file that the sandbox writes for its clients. */
  readonly file: string;
  /** URL of the endpoint. It responds with a payment challenge. */
  readonly resource: string;
  /** URL of a directory that lists two endpoints: `resource`, and an endpoint outside the sandbox. */
  readonly directoryUrl: string;
  /** `User-Agent` headers of the requests to the endpoint, in order of arrival. */
  readonly userAgents: (string | undefined)[];
  /** Time at which the clock of the sandbox is stopped, as ISO 8601; null while the clock follows the real time. */
  clockAt: string | null;
  close(): void;
}

/** Starts a sandbox with one endpoint, a control server and a directory. */
export async function startTestSandbox(): Promise<TestSandbox> {
  const resource = `https://${HOST}/paid`;
  const authority = createAuthority();
  const endpoints = createServer(authority.issue([HOST]), (request, response) => {
    sandbox.userAgents.push(request.headers['user-agent']);
    challenge(response, resource);
  });
  const port = await listen(endpoints);
  const zone = { suffix: 'sandbox.test', address: '127.0.0.1', port, unresolvable: [], overrides: {} };
  const control = createHttpServer((_, response) =>
    response.end(JSON.stringify({ at: sandbox.clockAt, zone })),
  );
  const items = [item(resource), item('https://outside.example.com/paid')];
  const pagination = { limit: 100, offset: 0, total: items.length };
  const directory = createHttpServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ x402Version: 2, items, pagination })),
  );
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-sandbox-'));
  const caFile = join(folder, 'ca.pem');
  const file = join(folder, 'sandbox.json');
  writeFileSync(caFile, authority.cert);
  writeFileSync(file, JSON.stringify({ controlUrl: `http://127.0.0.1:${await listen(control)}`, caFile }));
  const sandbox: TestSandbox = {
    file,
    resource,
    directoryUrl: `http://127.0.0.1:${await listen(directory)}`,
    userAgents: [],
    clockAt: null,
    close: () => {
      for (const server of [endpoints, control, directory]) server.close();
      rmSync(folder, { recursive: true });
    },
  };
  return sandbox;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  // The server listens on a TCP port, so its address is not a pipe.
  return (server.address() as AddressInfo).port;
}
