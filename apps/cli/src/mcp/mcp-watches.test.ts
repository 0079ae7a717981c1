import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { asBuyer, openMcpClient } from '../testing/mcp-client.ts';
import { openWatchService, WATCH_ID, WATCH_SECRET } from '../testing/watch-service.ts';

describe('watches over MCP', () => {
  it('are bought, read, edited, renewed and cancelled', async () => {
    using buyer = openBuyer();
    await using service = await openWatchService();
    const { args, env } = asBuyer(buyer, service.base);
    const server = await openMcpClient({ args: [...args, '--max-usd', '0.20'], env });
    const created = await server.call('x402_watch_create', { endpoint: RESOURCE, events: ['payto_change'] });
    expect(created).toMatchObject({
      isError: false,
      structured: { watch_id: WATCH_ID, secret: WATCH_SECRET },
    });
    service.append('created');
    service.append('payto_change');
    const owner = { watch_id: WATCH_ID, secret: WATCH_SECRET };
    const events = await server.call('x402_watch_events', owner);
    expect(events).toMatchObject({ isError: false, structured: { events: [{ type: 'payto_change' }] } });
    const shown = await server.call('x402_watch_show', owner);
    expect(shown).toMatchObject({ isError: false, structured: { status: 'active' } });
    const edited = await server.call('x402_watch_edit', { ...owner, liveness_sensitivity_n: 3 });
    expect(edited).toMatchObject({ isError: false, structured: { watch_id: WATCH_ID } });
    expect((await server.call('x402_watch_renew', { watch_id: WATCH_ID })).isError).toBe(false);
    const cancelled = await server.call('x402_watch_cancel', owner);
    expect(cancelled).toMatchObject({ isError: false, structured: { status: 'cancelled' } });
    expect(service.requests.map(({ method, url, body }) => [method, url.pathname, body])).toEqual([
      ['GET', `/v1/watch/${WATCH_ID}/events`, ''],
      ['GET', `/v1/watch/${WATCH_ID}`, ''],
      ['PATCH', `/v1/watch/${WATCH_ID}`, JSON.stringify({ liveness_sensitivity_n: 3 })],
      ['DELETE', `/v1/watch/${WATCH_ID}`, ''],
    ]);
    expect(service.signatures.length).toBe(2);
    expect(await server.close()).not.toContain(WATCH_SECRET);
  });
});
