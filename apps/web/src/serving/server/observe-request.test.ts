import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getRequestDurations } from '../../platform/metrics/process-metrics.ts';
import { observeRequest } from './observe-request.ts';

let server: Server;
let origin: string;
let lines: string[];

beforeEach(async () => {
  getRequestDurations().reset();
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  server = createServer((request, response) => {
    observeRequest(request, response, 'trace-1');
    if (request.headers['x-abort'] !== undefined) return;
    const isPaid = request.method === 'POST';
    response.setHeader('cache-control', isPaid ? 'private, no-store' : 'public, max-age=60');
    response.statusCode = isPaid ? Number(request.headers['x-status'] ?? 402) : 200;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(() => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

/** Returns the number of observed requests by operation and status. */
async function readCounts(): Promise<Readonly<Record<string, number>>> {
  const { values } = await getRequestDurations().get();
  return Object.fromEntries(
    values
      .filter(({ metricName }) => metricName === 'touchstone_request_duration_seconds_count')
      .map(({ labels, value }) => [`${String(labels.operation)} ${String(labels.status)}`, value]),
  );
}

it('counts requests, and logs each request that no public cache may answer, except above a rate limit', async () => {
  await fetch(`${origin}/v1/x402-trust?secret=1`, { method: 'POST' });
  await fetch(`${origin}/v1/watch/w1/renew`, { method: 'POST' });
  await fetch(`${origin}/v1/similar`, { method: 'POST', headers: { 'x-status': '429' } });
  await fetch(`${origin}/trust/leaderboard`);
  await fetch(`${origin}/explore`);
  await fetch(`${origin}/mcp`);
  await fetch(`${origin}/v1/unknown`, { method: 'POST' });
  await expect.poll(readCounts).toEqual({
    'getTrustReport 402': 1,
    'renewWatch 402': 1,
    'findAlternatives 429': 1,
    'getLeaderboard 200': 1,
  });
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { operation: 'getTrustReport', status: '402', ms: expect.any(Number) as number, requestId: 'trace-1' },
    {
      operation: 'renewWatch',
      status: '402',
      ms: expect.any(Number) as number,
      requestId: 'trace-1',
    },
  ]);
});

it('counts a request whose client closed the connection', async () => {
  const closed = new AbortController();
  const request = fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'x-abort': '1' },
    signal: closed.signal,
  });
  setTimeout(() => closed.abort(), 50);
  await expect(request).rejects.toThrow();
  await expect.poll(readCounts).toEqual({ 'mcp aborted': 1 });
  expect(lines).toEqual([expect.stringContaining('"operation":"mcp","status":"aborted"')]);
});
