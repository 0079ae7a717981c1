import { describe, expect, it } from 'vitest';
import { createTestProber } from '../testing/prober.ts';
import { serve } from '../testing/servers.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const url = 'http://endpoint.example/';

describe('retryAfterSeconds of a probe', () => {
  it.each([
    [429, { 'retry-after': '90' }, 90],
    [503, { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT', date: 'Sat, 21 Nov 2026 12:00:00 GMT' }, 60],
    [402, {}, null],
  ])('for status %i with %j is %j', async (status, headers, seconds) => {
    await using server = await serve((_, response) => void response.writeHead(status, headers).end());
    const probe = await createTestProber(server.port)({ url, methods: ['GET'] });
    expect(probe).toMatchObject({ httpStatus: status, retryAfterSeconds: seconds });
  });

  it('uses the injected clock when the response has no Date header', async () => {
    await using server = await serve((_, response) => {
      response.sendDate = false;
      response.writeHead(429, { 'retry-after': 'Sat, 21 Nov 2026 12:00:45 GMT' }).end();
    });
    const probe = await createTestProber(server.port, { now: () => now })({ url, methods: ['GET'] });
    expect(probe.retryAfterSeconds).toBe(45);
  });

  it('rounds up to whole seconds', async () => {
    await using server = await serve((_, response) => {
      response.sendDate = false;
      response.writeHead(429, { 'retry-after': 'Sat, 21 Nov 2026 12:00:45 GMT' }).end();
    });
    const probe = await createTestProber(server.port, { now: () => now + 1 })({ url, methods: ['GET'] });
    expect(probe.retryAfterSeconds).toBe(45);
  });

  it('prevents a request with another method', async () => {
    await using server = await serve(
      (_, response) => void response.writeHead(404, { 'retry-after': '60' }).end(),
    );
    await createTestProber(server.port)({ url, methods: ['GET', 'POST'] });
    expect(server.connections()).toBe(1);
  });
});
