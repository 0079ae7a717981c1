import { connect } from '@touchstone/store';
import { expect, it } from 'vitest';
import { advanceWatches } from './advance-watches.ts';

const FULL = { expiring: 0, expired: 500, deleted: 0 };

it('repeats full batches until the deadline, and leaves the remaining watches to the next run', async () => {
  const deadline = new AbortController();
  let calls = 0;
  const fetch = (): Promise<Response> => {
    calls += 1;
    if (calls === 3) deadline.abort();
    return Promise.resolve(Response.json([calls === 4 ? { ...FULL, expired: 7 } : FULL]));
  };
  const context = { db: connect({ url: 'http://127.0.0.1:1', key: 'secret', fetch }), now: () => 0 };
  const { signal } = deadline;
  expect(await advanceWatches({ ...context, signal })).toEqual({ expiring: 0, expired: 1_500, deleted: 0 });
  expect(calls).toBe(3);
  expect(await advanceWatches(context)).toEqual({ expiring: 0, expired: 7, deleted: 0 });
});
