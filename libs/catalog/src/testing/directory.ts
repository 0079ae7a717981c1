import { createServer, type ServerResponse } from 'node:http';
import {
  readDirectory,
  type DirectoryReadResult,
  type ReadDirectoryOptions,
} from '../directory/read-directory.ts';

export interface DirectoryRequest {
  readonly path: string;
  readonly limit: number;
  readonly offset: number;
  /** Number of requests that the server received before this request. */
  readonly index: number;
}

export interface Directory {
  readonly url: string;
  readonly requests: readonly DirectoryRequest[];
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts a local web server that serves a test directory with the given request handler. */
export async function serveDirectory(
  handle: (request: DirectoryRequest, response: ServerResponse) => void,
): Promise<Directory> {
  const requests: DirectoryRequest[] = [];
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://directory.example');
    const number = (name: string): number => Number(url.searchParams.get(name));
    const request = {
      path: url.pathname,
      limit: number('limit'),
      offset: number('offset'),
      index: requests.length,
    };
    requests.push(request);
    handle(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new TypeError('the server does not listen on a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export interface RecordedRead extends DirectoryReadResult {
  readonly readItems: readonly unknown[];
  /** Pauses that the directory reader requested, in milliseconds. The test replaces `sleep`, so no time passes. */
  readonly pauses: readonly number[];
}

/** Reads a test directory to its end. Records the items and the requested pauses, and skips the pauses. */
export async function readAll(
  url: string,
  options: Partial<ReadDirectoryOptions> = {},
): Promise<RecordedRead> {
  const readItems: unknown[] = [];
  const pauses: number[] = [];
  const read = await readDirectory({
    url,
    fetch: globalThis.fetch,
    onPage: (items) => void readItems.push(...items),
    sleep: async (ms) => void pauses.push(ms),
    ...options,
  });
  return { ...read, readItems, pauses };
}
