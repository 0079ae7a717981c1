import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestStore } from './testing/test-store.ts';
import { useTestDatabase } from '../../testing/test-database.ts';
import type { AppRouter } from './app-router.ts';

const { database, getModules } = useTestDatabase(async () => ({
  ...(await import('./respond-to-call.ts')),
  ...(await import('../../operations/watch-context.ts')),
}));
beforeEach(() => database.reset());

/** Responds to a request like the route of the procedures. */
function respond(request: Request): Promise<Response> {
  const { respondToCall, getWatchContext } = getModules();
  return respondToCall(request, { store: createTestStore(), openWatches: getWatchContext });
}

/** Creates the same client as the page, and records its requests and their responses. */
function createClient(secret: string | null = database.secret) {
  const sent: { request: Request; response: Response }[] = [];
  const client = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: 'https://touchstone.example/api/trpc',
        methodOverride: 'POST',
        headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
        fetch: async (url, { method = 'GET', headers = {}, body = null } = {}) => {
          const request = new Request(url instanceof URL ? url.href : url, { method, headers, body });
          const response = await respond(request.clone());
          sent.push({ request, response: response.clone() });
          return response;
        },
      }),
    ],
  }).watch;
  return { client, sent };
}

/** Returns the error of a call that must fail. */
async function catchError(call: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TRPCClientError)) throw new Error('the call did not fail with a tRPC error');
  return error as TRPCClientError<AppRouter>;
}

describe('the procedures of a watch', () => {
  it('do the same as the routes', async () => {
    const { client } = createClient();
    const { id } = database;
    expect(await client.read.query({ id })).toMatchObject({ watch_id: id, status: 'active' });
    expect(await client.events.query({ id })).toMatchObject({ watch_events: [{ type: 'created' }] });
    expect(await client.attempts.query({ id })).toEqual({ attempts: [] });
    expect(await client.edit.mutate({ id, edit: { liveness_sensitivity_n: 4 } })).toMatchObject({
      watch_id: id,
      connection_test: [],
    });
    expect(database.findCall('edit_watch')).toMatchObject({ p_edit: { livenessSensitivityN: 4 } });
    expect(await client.cancel.mutate({ id })).toMatchObject({ status: 'cancelled' });
  });

  it('have neither the id nor the secret in a URL, and no cache may store a response', async () => {
    const { client, sent } = createClient();
    const { id, secret } = database;
    await client.read.query({ id });
    await client.events.query({ id, since: `evt_${id.slice(2)}_0` });
    await client.cancel.mutate({ id });
    await catchError(createClient('wrong').client.read.query({ id }));
    expect(sent).toHaveLength(3);
    for (const { request, response } of sent) {
      expect(request.method).toBe('POST');
      expect(request.url).not.toContain(id.slice(2));
      expect(request.url).not.toContain(secret);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each(['read', 'events', 'attempts', 'edit', 'cancel'])('refuse GET: watch.%s', async (name) => {
    const input = encodeURIComponent(JSON.stringify({ id: database.id, edit: {} }));
    const response = await respond(
      new Request(`https://touchstone.example/api/trpc/watch.${name}?input=${input}`, {
        headers: { authorization: `Bearer ${database.secret}` },
      }),
    );
    expect(response.status).toBe(405);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(database.listCalls()).toEqual([]);
  });

  it.each([null, 'wrong'])('refuse the secret %j', async (secret) => {
    const { client, sent } = createClient(secret);
    const { id } = database;
    const calls = [
      client.read.query({ id }),
      client.events.query({ id }),
      client.attempts.query({ id }),
      client.edit.mutate({ id, edit: { liveness_sensitivity_n: 4 } }),
      client.cancel.mutate({ id }),
    ];
    for (const call of calls) {
      const { data } = await catchError(call);
      expect(data).toMatchObject({ httpStatus: 401, problem: { code: 'unauthorized' } });
    }
    for (const { response } of sent) {
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(new Set(database.listCalls())).toEqual(new Set(secret === null ? [] : ['watches']));
  });

  it('name the path of each mistake in an edit', async () => {
    const { client } = createClient();
    const edit = { events: [], delivery: { webhook_urls: ['https://a.example/x', 'ftp://b.example'] } };
    const { data, message } = await catchError(client.edit.mutate({ id: database.id, edit }));
    expect(data?.httpStatus).toBe(400);
    expect(data?.problem?.errors.map(({ path }) => path)).toEqual(['events', 'delivery.webhook_urls.1']);
    expect(message).not.toContain('zod');
    const missing = await catchError(client.read.query({} as { id: string }));
    expect(missing.message).toBe('id must be the id of a watch.');
  });

  it('refuse a body that is too large or not JSON', async () => {
    const post = (body: string, type: string) =>
      respond(
        new Request('https://touchstone.example/api/trpc/watch.read', {
          method: 'POST',
          headers: { 'content-type': type, authorization: `Bearer ${database.secret}` },
          body,
        }),
      );
    expect((await post(`{"id":"${'x'.repeat(65_536)}"}`, 'application/json')).status).toBe(413);
    expect((await post('{}', 'text/plain')).status).toBe(415);
    expect((await post('{', 'application/json')).status).toBe(400);
    expect(database.listCalls()).toEqual([]);
  });
});
