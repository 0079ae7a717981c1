import type { IncomingMessage, ServerResponse } from 'node:http';
import { findOperation, MCP_PATH } from '@touchstone/contract';
import { getRequestPath } from '../../api/read-request.ts';
import { getRequestDurations } from '../../platform/metrics/process-metrics.ts';

/** Label of a response if the client closed the connection before the end of the response. */
const ABORTED = 'aborted';

/**
 * Status of requests above a rate limit. Such requests are counted but not logged, because a client can send very many.
 */
const TOO_MANY_REQUESTS = '429';

/**
 * Measures a request to an API operation or to the MCP server, until its response ends. A response that public caches
 * may not store also gets one line in the log. Other requests are not measured.
 *
 * @param requestId id of the request in all lines of the log about it
 */
export function observeRequest(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const method = request.method ?? '';
  const path = getRequestPath(`http://site${request.url ?? ''}`);
  const operation = path === MCP_PATH && method !== 'GET' ? 'mcp' : findOperation(method, path)?.id;
  if (operation === undefined) return;
  const startedAt = performance.now();
  response.once('close', () => {
    const ms = performance.now() - startedAt;
    const status = response.writableFinished ? String(response.statusCode) : ABORTED;
    getRequestDurations().observe({ operation, status }, ms / 1000);
    if (status === TOO_MANY_REQUESTS || /\bpublic\b/.test(String(response.getHeader('cache-control') ?? '')))
      return;
    const line = { operation, status, ms: Math.round(ms), requestId };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  });
}
