import type { IncomingMessage, ServerResponse } from 'node:http';
import { collectEntryUses, type EntryUse } from '../page-cache/entry-uses.ts';
import { captureBody } from './capture-body.ts';
import { toMemoryKey, type MemoryKey } from './memory-key.ts';
import { normalizeRequest } from './normalize-request.ts';
import type { ResponseMemory } from './response-memory.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ListenerOptions {
  /** Handles a request with Next. */
  readonly handle: Handler;
  readonly memory: ResponseMemory;
  /** Deletes the pages that other instances of the site have expired; null if there are no other instances. */
  readonly receiveExpirations: () => Promise<void> | null;
}

/** Creates the listener of the web server. It responds from memory if it can, and otherwise hands the request to Next. */
export function createListener({ handle, memory, receiveExpirations }: ListenerOptions): Handler {
  const handleAndStore = (key: MemoryKey, request: IncomingMessage, response: ServerResponse) => {
    // A response to HEAD has no body, and Next adds fewer headers to it.
    if (request.method !== 'GET') return handle(request, response);
    const uses: EntryUse[] = [];
    // JSON is captured as sent, so this response must not be compressed.
    if (key.kind === 'json') delete request.headers['accept-encoding'];
    const readBody = key.kind === 'json' ? captureBody(response) : () => null;
    response.once('finish', () => memory.store(key, { response, uses, body: readBody() }));
    return collectEntryUses(uses, () => handle(request, response));
  };
  return async (request, response) => {
    normalizeRequest(request);
    const key = toMemoryKey(request);
    if (key === null) return handle(request, response);
    const receiving = receiveExpirations();
    if (receiving !== null) await receiving;
    const stored = memory.find(key);
    return stored === null ? handleAndStore(key, request, response) : stored.send(request, response);
  };
}
