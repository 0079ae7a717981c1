import { serve, type RunningServer } from '@touchstone/probe/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobContexts, type JobContextOptions } from './create-job-contexts.ts';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

const options: JobContextOptions = {
  supabaseUrl: 'http://127.0.0.1:1',
  secretKey: 'secret',
  directories: [],
  baseUrl: 'https://touchstone.example',
  onChanged: () => Promise.resolve(),
};

describe('contexts of jobs on the public internet', () => {
  let server: RunningServer;
  let url: string;
  let userAgents: (string | undefined)[];
  beforeAll(async () => {
    server = await serve((request, response) => {
      userAgents.push(request.headers['user-agent']);
      response.writeHead(402).end();
    });
    url = `http://127.0.0.1:${server.port}/`;
  });
  beforeEach(() => {
    userAgents = [];
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('use the directory names of the one-machine service and a User-Agent with the base URL', async () => {
    const directories = [
      'https://facilitator.payai.network/',
      'mine=https://d.example/x402?limit=50',
      'https://d.example',
    ];
    const context = await createJobContexts({ ...options, directories })();
    expect(context.directories).toEqual([
      { name: 'PayAI', url: 'https://facilitator.payai.network', pageSize: 100 },
      { name: 'mine', url: 'https://d.example/x402', pageSize: 50 },
      { name: 'https://d.example', url: 'https://d.example' },
    ]);
    expect(context.userAgent).toContain('https://touchstone.example');
  });

  it('connect to no private address', async () => {
    const { prober, hostSuffix } = await createJobContexts(options)();
    expect(await prober({ url, methods: ['GET'] })).toMatchObject({ outcome: 'refused-address' });
    expect(hostSuffix).toBeNull();
    expect(userAgents).toEqual([]);
  });

  it('obey the settings of the operator', async () => {
    const settings = { allowPrivate: true, userAgent: 'Mine/1' };
    const { prober, userAgent } = await createJobContexts({ ...options, ...settings })();
    expect(await prober({ url, methods: ['GET'] })).toMatchObject({ httpStatus: 402 });
    expect([userAgent, userAgents]).toEqual(['Mine/1', ['Mine/1']]);
  });

  it('share the canary check, and have their own lease owner', async () => {
    const openContext = createJobContexts({ ...options, canaryUrls: ['https://canary.example'] });
    const [first, second] = [await openContext(), await openContext()];
    expect(first.canaries?.urls).toEqual(['https://canary.example']);
    expect(second.canaries).toBe(first.canaries);
    expect(second.owner).not.toBe(first.owner);
  });
});

describe('contexts of jobs in a sandbox', () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
  });
  afterAll(() => sandbox.close());

  it('probe only endpoints of the sandbox', async () => {
    const { prober, hostSuffix } = await createJobContexts({ ...options, sandboxFile: sandbox.file })();
    expect(hostSuffix).toBe('.sandbox.test');
    expect(await prober({ url: sandbox.resource, methods: ['GET'] })).toMatchObject({ httpStatus: 402 });
    expect(await prober({ url: 'https://example.com/', methods: ['GET'] })).toMatchObject({
      outcome: 'dns-error',
    });
  });

  it('are refused while the clock of the sandbox stands still', async () => {
    const openContext = createJobContexts({ ...options, sandboxFile: sandbox.file });
    await openContext();
    sandbox.clockAt = '2026-10-01T00:00:00.000Z';
    await expect(openContext()).rejects.toThrow('stands still');
    sandbox.clockAt = null;
    await expect(openContext()).resolves.toMatchObject({ hostSuffix: '.sandbox.test' });
  });

  it('are refused without a running sandbox', async () => {
    const sandboxFile = `${sandbox.file}.none`;
    await expect(createJobContexts({ ...options, sandboxFile })()).rejects.toThrow('cannot be read');
  });
});
