import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nowSeconds, signature, startApplication, type Application } from './testing/inngest-application.ts';

let application: Application;
/** Contexts that were asked for: a step that runs needs one. */
let contexts: number;

beforeEach(async () => {
  contexts = 0;
  application = await startApplication(() => {
    contexts += 1;
    throw new Error('there is no database here');
  });
});
afterEach(() => application.close());

const call = {
  event: { name: 'inngest/scheduled.timer', data: {} },
  events: [],
  steps: {},
  ctx: { run_id: 'run', attempt: 0, stack: { stack: [], current: 0 } },
  version: 2,
};

describe('what an Inngest server is told', () => {
  it('registers every job with its triggers, bounds and retries', async () => {
    expect(await application.register()).toBe(200);
    const once = { limit: 1 };
    const event = 'event.data.key';
    expect(
      application.inngest.functions.map(({ id, triggers, concurrency, idempotency, steps }) => [
        id,
        triggers[0]?.cron ?? triggers[0]?.event,
        concurrency,
        idempotency,
        steps['step']?.retries?.attempts,
      ]),
    ).toEqual([
      ['touchstone-discover', '7 * * * *', once, undefined, 2],
      [
        'touchstone-read-directory',
        'touchstone/directory.due',
        [{ ...once, key: 'event.data.directory' }, { limit: 4 }],
        event,
        2,
      ],
      ['touchstone-sweep', '* * * * *', once, undefined, 2],
      ['touchstone-probe-batch', 'touchstone/batch.due', { limit: 16 }, event, 2],
      ['touchstone-confirm', '* * * * *', once, undefined, 2],
      ['touchstone-confirm-misses', 'touchstone/misses.due', { limit: 6 }, event, 0],
      ['touchstone-score', '* * * * *', { limit: 4 }, undefined, 2],
      ['touchstone-settle', '*/5 * * * *', once, undefined, 3],
      ['touchstone-maintain', '41 3 * * *', once, undefined, 5],
    ]);
    for (const { timeouts } of application.inngest.functions) {
      expect(Object.keys(timeouts ?? {}).sort()).toEqual(['finish', 'start']);
    }
  });

  it('answers a registration in the same request when it is asked to', async () => {
    const body = { url: 'https://touchstone.example.com/api/inngest' };
    const answer = await application.send('PUT', body, {
      ...signature(body),
      'x-inngest-sync-kind': 'in_band',
    });
    expect(answer.status).toBe(200);
    const told: unknown = await answer.json();
    expect(told).toMatchObject({ app_id: 'touchstone', url: body.url });
    expect(application.inngest.functions).toEqual([]);
  });

  it('introspects to Inngest, and to nobody else', async () => {
    const answer = await application.send('GET', null, signature(''));
    expect(await answer.json()).toMatchObject({ function_count: 9, mode: 'cloud', has_signing_key: true });
    expect((await application.send('GET', null)).status).toBe(401);
  });
});

describe('who may call', () => {
  const other = `signkey-test-${'6b'.repeat(32)}`;
  it.each<[string, () => Record<string, string>]>([
    ['nobody who does not sign', () => ({})],
    ['nobody with another key', () => signature(call, other)],
    ['nobody with a signature of another body', () => signature({ ...call, version: 1 })],
    ['nobody with an old signature', () => signature(call, undefined, nowSeconds() - 6 * 60)],
    ['nobody with a signature of the future', () => signature(call, undefined, nowSeconds() + 6 * 60)],
    ['nobody with half a signature', () => ({ 'x-inngest-signature': `t=${nowSeconds()}` })],
  ])('%s', async (_, headers) => {
    const answer = await application.send('POST', call, headers());
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ message: 'Unauthorized' });
    const body = { url: application.url };
    const wrong = 'x-inngest-signature' in headers() ? signature(body, other) : {};
    expect((await application.send('PUT', body, wrong)).status).toBe(401);
    expect(application.inngest.functions).toEqual([]);
    expect(application.inngest.events).toEqual([]);
    expect(contexts).toBe(0);
  });

  it('whoever signs', async () => {
    const answer = await application.send('POST', call, signature(call));
    expect(answer.status).toBe(206);
    expect(contexts).toBe(1);
  });
});
