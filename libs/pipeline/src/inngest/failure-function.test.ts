import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApplication, type Application } from '../testing/inngest/inngest-application.ts';

const SECRET = 'f3a9c1';
let application: Application;

beforeAll(async () => {
  application = await startApplication(() => {
    const urls = `https://user:${SECRET}@rpc.example/v2/${SECRET} and postgres://me:${SECRET}@/${SECRET}@db.example/x?key=${SECRET}`;
    throw new Error(`no connection\nto ${urls}: ${'x'.repeat(10_000)}`);
  });
  await application.register();
});
afterAll(() => application.close());

it('logs one line for a run that failed in all attempts, without the credentials of URLs', async () => {
  const { inngest } = application;
  const run = await inngest.run('touchstone-statistics');
  expect(run).toMatchObject({ failed: true, errors: 3 });
  expect(await inngest.drain()).toMatchObject([{ functionId: 'touchstone-log-failures', failed: false }]);
  const lines = application.errors.filter((text) => text.startsWith('{'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    failed: 'job',
    job: 'touchstone-statistics',
    runId: run.runId,
    cause: expect.stringMatching(
      /^no connection to https:\/\/rpc\.example\/… and postgres:\/\/db\.example\/… x+$/,
    ) as string,
  });
  expect(lines[0]).not.toContain(SECRET);
  expect(lines[0]?.length).toBeLessThan(600);
  expect(inngest.events).toHaveLength(1);
});

it('logs no failure of another application', async () => {
  const { inngest, errors } = application;
  const before = [...errors];
  const data = { function_id: 'other-settle', run_id: 'run' };
  await inngest.run('touchstone-log-failures', { name: 'inngest/function.failed', data });
  expect(errors).toEqual(before);
});

it('logs an event without an error message, and is not triggered by its own failure', async () => {
  const { inngest, errors } = application;
  const data = { function_id: 'touchstone-settle', run_id: 'run' };
  await inngest.run('touchstone-log-failures', { name: 'inngest/function.failed', data });
  expect(errors.at(-1)).toBe('{"failed":"job","job":"touchstone-settle","runId":"run","cause":"unknown"}');
  const own = inngest.functions.find(({ id }) => id === 'touchstone-log-failures');
  expect(own?.triggers).toEqual([
    {
      event: 'inngest/function.failed',
      expression: "event.data.function_id != 'touchstone-log-failures'",
    },
  ]);
});
