import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { readDirectory } from '../read-directory.ts';
import type { DirectoryRead, ReadDirectoryOptions } from '../read-directory.ts';

export interface Asked {
  readonly path: string;
  readonly limit: number;
  readonly offset: number;
  /** How many requests came before this one. */
  readonly turn: number;
}

export interface Directory {
  readonly url: string;
  readonly asked: readonly Asked[];
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** A web server on a free port of this machine that answers as a test wants. */
export async function serveDirectory(
  answer: (asked: Asked, response: ServerResponse) => void,
): Promise<Directory> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://directory.example');
    const number = (name: string): number => Number(url.searchParams.get(name));
    const now = { path: url.pathname, limit: number('limit'), offset: number('offset'), turn: asked.length };
    asked.push(now);
    answer(now, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new TypeError('the server does not listen on a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
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

export interface Reading extends DirectoryRead {
  readonly seen: readonly unknown[];
  /** Milliseconds of each pause; none is really waited for. */
  readonly pauses: readonly number[];
}

/** Reads a directory to its end without waiting, and keeps what came. */
export async function readAll(url: string, options: Partial<ReadDirectoryOptions> = {}): Promise<Reading> {
  const seen: unknown[] = [];
  const pauses: number[] = [];
  const read = await readDirectory({
    url,
    fetch: globalThis.fetch,
    onPage: (items) => void seen.push(...items),
    sleep: async (ms) => void pauses.push(ms),
    ...options,
  });
  return { ...read, seen, pauses };
}
