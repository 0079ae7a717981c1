import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Inngest } from 'inngest';
import { serve } from 'inngest/node';
import { InngestTestEngine } from '@inngest/test';
import { createKeys, startEmbedded, type EmbeddedDatabase } from '@touchstone/embedded';
import { connect } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import { createInngestFunctions } from './inngest.ts';
import { JOBS } from './jobs.ts';

const keys = createKeys();
let database: EmbeddedDatabase;
beforeAll(async () => {
  database = await startEmbedded({ keys });
});
afterAll(() => database.close());

function context(): PipelineContext {
  return {
    db: connect({ url: database.url, key: keys.secret }),
    prober: () => Promise.reject(new Error('nothing is due')),
    directories: [],
    fetch: globalThis.fetch,
    now: () => Date.parse('2026-11-01T12:00:00Z'),
    hostSuffix: null,
    owner: 'inngest',
    onChanged: () => Promise.resolve(),
  };
}

describe('the jobs as Inngest functions', () => {
  const client = new Inngest({ id: 'touchstone', isDev: true });
  const functions = createInngestFunctions(client, context);

  it('are the same jobs, on the same times', () => {
    expect(functions.map((fn) => fn.id())).toEqual(JOBS.map((job) => job.id));
  });

  it.each(JOBS.map((job) => job.id))('%s runs its verb in one step against the database', async (id) => {
    const fn = functions.find((candidate) => candidate.id() === id);
    if (!fn) throw new Error(`no function ${id}`);
    const { result, error } = await new InngestTestEngine({ function: fn }).execute();
    expect(error).toBeUndefined();
    if (id === 'maintain') expect(result).toEqual({ made: 4, dropped: 0 });
    else expect(result).toBeTypeOf('object');
  });
});

describe('the Inngest endpoint', () => {
  const client = new Inngest({
    id: 'touchstone',
    isDev: false,
    signingKey: `signkey-test-${'ab'.repeat(32)}`,
  });
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer(serve({ client, functions: createInngestFunctions(client, context) }));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/inngest`;
  });
  afterAll(() => new Promise((done) => server.close(done)));

  it('runs nothing for a caller who cannot sign', async () => {
    const answer = await fetch(`${url}?fnId=touchstone-maintain&stepId=step`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        event: { name: 'x', data: {} },
        events: [],
        steps: {},
        ctx: {},
        use_api: false,
        version: 1,
      }),
    });
    expect(answer.status).toBe(401);
  });
});
