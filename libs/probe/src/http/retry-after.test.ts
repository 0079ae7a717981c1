import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetryAfter } from './read-retry-after.ts';
import { createTestProber } from '../testing/prober.ts';
import { serve } from '../testing/servers.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const at = (value: string, date?: string): number | null =>
  readRetryAfter([['Retry-After', value], ...(date === undefined ? [] : [['Date', date] as const])], now);

describe('readRetryAfter', () => {
  it.each([
    ['120', 120],
    ['0', 0],
    [' 7 ', 7],
    ['86400', 86_400],
    ['86401', 86_400],
    ['9'.repeat(400), 86_400],
    ['Sat, 21 Nov 2026 12:02:00 GMT', 120],
    ['Saturday, 21-Nov-26 12:02:00 GMT', 120],
    ['Sat Nov 21 12:02:00 2026', 120],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['Sat, 21 Nov 2099 11:00:00 GMT', 86_400],
  ])('reads %j as %i seconds', (value, seconds) => {
    expect(at(value)).toBe(seconds);
  });

  it.each(['', '-1', '1.5', '1e3', '0x10', 'soon', 'Sat, 99 Nov 2026 12:00:00 GMT', '2026-11-21', '120, 60'])(
    'reads nothing in %j',
    (value) => {
      expect(at(value)).toBeNull();
    },
  );

  it('counts a date from that of the answer, whatever our clock says', () => {
    expect(at('Wed, 21 Oct 2015 07:28:30 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(30);
  });

  it('is null, or seconds from 0 to a day, whatever a server sends', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, date) => {
        const seconds = at(value, date);
        if (seconds === null) return;
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(86_400);
      }),
    );
  });
});

describe('a probe', () => {
  const url = 'http://endpoint.example/';

  it.each([
    [429, { 'retry-after': '90' }, 90],
    [503, { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT', date: 'Sat, 21 Nov 2026 12:00:00 GMT' }, 60],
    [402, {}, null],
  ])('of an answer %i with %j says %j', async (status, headers, seconds) => {
    await using server = await serve((_, response) => void response.writeHead(status, headers).end());
    const probe = await createTestProber(server.port)({ url, methods: ['GET'] });
    expect(probe).toMatchObject({ httpStatus: status, retryAfterSeconds: seconds });
  });

  it('says it for a date by the clock that it was given', async () => {
    await using server = await serve((_, response) => {
      response.sendDate = false;
      response.writeHead(429, { 'retry-after': 'Sat, 21 Nov 2026 12:00:45 GMT' }).end();
    });
    const probe = await createTestProber(server.port, { now: () => now })({ url, methods: ['GET'] });
    expect(probe.retryAfterSeconds).toBe(45);
  });

  it('is not sent by another method to a server that asked for a pause', async () => {
    await using server = await serve(
      (_, response) => void response.writeHead(404, { 'retry-after': '60' }).end(),
    );
    await createTestProber(server.port)({ url, methods: ['GET', 'POST'] });
    expect(server.connections()).toBe(1);
  });
});
