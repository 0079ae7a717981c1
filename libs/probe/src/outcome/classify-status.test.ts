import { describe, expect, it } from 'vitest';
import { probeServer } from '../testing/prober.ts';
import { serve } from '../testing/servers.ts';
import type { Outcome } from '../types.ts';

const gate = { 'www-authenticate': 'Payment id="1"' };

describe('the outcome of a response', () => {
  const cases: readonly (readonly [number, Readonly<Record<string, string>>, Outcome])[] = [
    [402, {}, 'challenged'],
    [402, gate, 'challenged'],
    [200, {}, 'free'],
    [204, {}, 'free'],
    [206, {}, 'free'],
    [301, { location: '/x' }, 'redirected'],
    [304, {}, 'redirected'],
    [308, { location: '/x' }, 'redirected'],
    [400, {}, 'client-error'],
    [401, gate, 'other-gate'],
    [401, {}, 'blocked'],
    [403, gate, 'other-gate'],
    [403, {}, 'blocked'],
    [404, gate, 'not-found'],
    [405, {}, 'method-mismatch'],
    [406, {}, 'client-error'],
    [407, {}, 'blocked'],
    [410, {}, 'not-found'],
    [412, {}, 'client-error'],
    [415, {}, 'client-error'],
    [418, {}, 'client-error'],
    [422, {}, 'client-error'],
    [429, { 'retry-after': '60' }, 'blocked'],
    [429, gate, 'blocked'],
    [451, {}, 'blocked'],
    [500, {}, 'server-error'],
    [501, {}, 'server-error'],
    [503, { server: 'cloudflare', 'cf-mitigated': 'challenge' }, 'server-error'],
    [599, {}, 'server-error'],
    [600, {}, 'protocol-error'],
    [999, {}, 'protocol-error'],
  ];

  it.each(cases)('with status %i and headers %j is %s', async (status, headers, outcome) => {
    await using server = await serve((_, response) => void response.writeHead(status, headers).end());
    expect(await probeServer(server)).toMatchObject({ outcome, httpStatus: status, failure: null });
  });
});
