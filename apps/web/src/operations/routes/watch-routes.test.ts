import { problemSchema, watchEventsSchema, watchSchema } from '@touchstone/contract';
import { createWatchSecret } from '@touchstone/watch';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../testing/test-database.ts';

const { database, getModules } = useTestDatabase(() => import('./watch-routes.ts'));
beforeEach(() => database.reset());

type Method = 'GET' | 'HEAD' | 'PATCH' | 'DELETE';

interface Sent {
  readonly id?: string;
  readonly suffix?: string;
  readonly secret?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to the handlers of the watch, by default with its id and its secret. */
async function send(method: Method, { suffix = '', ...sent }: Sent = {}): Promise<Response> {
  const { id = database.id, secret = database.secret, headers = {}, body } = sent;
  const request = new Request(`https://touchstone.example/v1/watch/${id}${suffix}`, {
    method,
    headers: { ...(secret === null ? {} : { authorization: `Bearer ${secret}` }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const routes = getModules();
  const handlers = suffix.startsWith('/events') ? routes.watchEventsRoute : routes.watchRoute;
  return handlers[method](request);
}

const JSON_TYPE = { 'content-type': 'application/json' };
const edit = (body: unknown) => send('PATCH', { headers: JSON_TYPE, body: JSON.stringify(body) });

describe('the secret of a watch', () => {
  const other = createWatchSecret();

  it.each([
    ['no secret', { secret: null }],
    ['an empty secret', { secret: '' }],
    ['another scheme', { secret: null, headers: { authorization: 'Basic YTpi' } }],
    ['the secret of another watch', { secret: other.secret }],
    ['an unknown id', { id: other.id }],
    ['an invalid id', { id: '..%00' }],
  ])('is required: %s is refused by every operation', async (_, sent) => {
    const responses = await Promise.all([
      send('GET', sent),
      send('GET', { ...sent, suffix: '/events' }),
      send('DELETE', sent),
      send('PATCH', {
        ...sent,
        headers: { ...('headers' in sent ? sent.headers : {}), ...JSON_TYPE },
        body: '{"liveness_sensitivity_n":3}',
      }),
    ]);
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      const problem = problemSchema.parse(await response.json());
      expect(problem.code).toBe('unauthorized');
      expect(problem).not.toHaveProperty('notCharged');
    }
    for (const name of ['find_watch', 'edit_watch', 'cancel_watch', 'read_watch_log']) {
      expect(database.listCalls()).not.toContain(name);
    }
  });

  it('gets the same response for an unknown watch and for a wrong secret', async () => {
    const bodies = await Promise.all(
      [{ id: other.id }, { secret: other.secret }].map(async (sent) => {
        const problem = problemSchema.parse(await (await send('GET', sent)).json());
        return { ...problem, instance: null };
      }),
    );
    expect(bodies[0]).toEqual(bodies[1]);
    expect(database.listCalls()).toEqual(['watches', 'watches']);
  });
});

describe('/v1/watch/{id}', () => {
  it('returns the watch without its secrets, and no cache may store it', async () => {
    const response = await send('GET');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('ratelimit')).not.toBeNull();
    const text = await response.text();
    expect(watchSchema.parse(JSON.parse(text))).toMatchObject({ watch_id: database.id, status: 'active' });
    expect(text).not.toContain(database.secret);
    expect(text).not.toContain('encrypted');
    expect((await send('HEAD')).status).toBe(200);
  });

  it('edits the watch', async () => {
    const response = await edit({ liveness_sensitivity_n: 5 });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ watch_id: database.id, connection_test: [] });
    expect(database.findCall('edit_watch')).toMatchObject({
      p_id: database.id,
      p_edit: { livenessSensitivityN: 5 },
      p_changed: ['liveness_sensitivity_n'],
    });
  });

  it.each([
    [{ events: ['unknown'] }, 'events.0'],
    [{ delivery: { slack_url: 'http://127.0.0.1/services/hidden' } }, 'delivery.slack_url'],
  ])('refuses the edit %j, names the mistake, and does not read the database', async (body, path) => {
    const problem = problemSchema.parse(await (await edit(body)).json());
    expect(problem).toMatchObject({
      ...{ status: 400, code: 'invalid-request', instance: `/v1/watch/${database.id}` },
    });
    expect(problem.errors?.map((mistake) => mistake.path)).toEqual([path]);
    expect(JSON.stringify(problem)).not.toContain('hidden');
    expect(database.listCalls()).toEqual([]);
  });

  it('refuses new URLs on a service without encryption keys', async () => {
    const response = await edit({ delivery: { webhook_url: 'https://alerts.example.com/x' } });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'watch-unavailable' });
  });

  it.each([
    [{ headers: { 'content-type': 'text/plain' }, body: '{}' }, 415, 'unsupported-media-type'],
    [{ headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: '{}' }, 415, 'unsupported-media-type'],
    [{ headers: JSON_TYPE, body: '{' }, 400, 'invalid-request'],
    [{ headers: JSON_TYPE, body: `"${'x'.repeat(65_536)}"` }, 413, 'body-too-large'],
  ])('refuses a body that it cannot read: %#', async (sent, status, code) => {
    const response = await send('PATCH', sent);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  it('cancels the watch, and may be repeated', async () => {
    for (const response of [await send('DELETE'), await send('DELETE')]) {
      expect(response.status).toBe(200);
      expect(watchSchema.parse(await response.json()).status).toBe('cancelled');
    }
  });
});

describe('/v1/watch/{id}/events', () => {
  const cursor = (sequence: number) => `evt_${database.id.slice(2)}_${sequence}`;

  it('returns the events after the cursors', async () => {
    const response = await send('GET', { suffix: `/events?since=${cursor(0)}&watch_since=${cursor(1)}` });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(watchEventsSchema.parse(await response.json())).toMatchObject({
      watch_id: database.id,
      watch_events: [{ type: 'created' }],
      has_more: false,
    });
    expect(database.findCall('read_watch_log')).toMatchObject({ p_alerts_after: 0, p_lifecycle_after: 1 });
  });

  it('refuses a repeated cursor', async () => {
    const response = await send('GET', { suffix: `/events?since=${cursor(0)}&since=${cursor(0)}` });
    expect(await response.json()).toMatchObject({
      ...{ status: 400, code: 'invalid-request', errors: [{ path: 'since' }] },
    });
  });
});
