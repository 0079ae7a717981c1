import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createSignature,
  getNowSeconds,
  startApplication,
  type Application,
} from '../testing/inngest/inngest-application.ts';

let application: Application;
/** Number of created contexts. Each executed step creates one. */
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

describe('registration', () => {
  it('includes every job with its triggers, limits and retries', async () => {
    expect(await application.register()).toBe(200);
    const once = { limit: 1 };
    const event = 'event.data.key';
    expect(
      application.inngest.functions.map(({ id, triggers, concurrency, idempotency, steps }) => [
        id,
        triggers.map((trigger) => trigger.cron ?? trigger.event).join(', '),
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
      ['touchstone-probe', '* * * * *', once, undefined, 2],
      ['touchstone-probe-batch', 'touchstone/batch.due', { limit: 16 }, event, 2],
      ['touchstone-recheck', '* * * * *', once, undefined, 2],
      ['touchstone-recheck-misses', 'touchstone/misses.due', { limit: 6 }, event, 0],
      ['touchstone-score', '* * * * *', { limit: 4 }, undefined, 2],
      ['touchstone-search', '* * * * *', once, undefined, 2],
      ['touchstone-statistics', '11 * * * *', once, undefined, 2],
      ['touchstone-settle', '*/5 * * * *', once, undefined, 3],
      ['touchstone-reconcile', '*/2 * * * *', once, undefined, 2],
      ['touchstone-adoptions', '* * * * *', once, undefined, 2],
      ['touchstone-deliver', '* * * * *, touchstone/deliveries.due', { limit: 4 }, undefined, 2],
      ['touchstone-watches', '* * * * *', once, undefined, 2],
      ['touchstone-claims', '*/10 * * * *', once, undefined, 2],
      ['touchstone-purchases', '*/10 * * * *', once, undefined, 2],
      ['touchstone-maintain', '41 3 * * *', once, undefined, 5],
      ['touchstone-log-failures', 'inngest/function.failed', once, undefined, 3],
    ]);
    for (const { timeouts } of application.inngest.functions) {
      expect(Object.keys(timeouts ?? {}).sort()).toEqual(['finish', 'start']);
    }
  });
});

describe('a call', () => {
  const other = `signkey-test-${'6b'.repeat(32)}`;
  it.each<[string, () => Record<string, string>]>([
    ['without a signature', () => ({})],
    ['with another key', () => createSignature(call, other)],
    ['with an old signature', () => createSignature(call, undefined, getNowSeconds() - 6 * 60)],
  ])('is refused %s', async (_, headers) => {
    const response = await application.send('POST', call, headers());
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ message: 'Unauthorized' });
    const body = { url: application.url };
    const wrong = 'x-inngest-signature' in headers() ? createSignature(body, other) : {};
    expect((await application.send('PUT', body, wrong)).status).toBe(401);
    expect(application.inngest.functions).toEqual([]);
    expect(application.inngest.events).toEqual([]);
    expect(contexts).toBe(0);
  });

  it('is accepted with a valid signature', async () => {
    const response = await application.send('POST', call, createSignature(call));
    expect(response.status).toBe(206);
    expect(contexts).toBe(1);
  });
});
