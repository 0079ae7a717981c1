import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSandbox, type TestSandbox } from '../testing/test-sandbox.ts';
import { createReportContext, type ReportContextOptions } from './report-context.ts';

const options: ReportContextOptions = {
  supabaseUrl: 'http://127.0.0.1:9',
  secretKey: 'secret',
  baseUrl: 'https://touchstone.example',
  vantage: 'EU',
  onChanged: () => Promise.resolve(),
};

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

describe('reports in the sandbox of this machine', () => {
  it('probe only endpoints of the sandbox', async () => {
    const { prober, hostSuffix, mayProbe } = await createReportContext({
      ...options,
      sandboxFile: sandbox.file,
    });
    expect([hostSuffix, await mayProbe?.()]).toEqual(['.sandbox.test', true]);
    const inside = await prober({ url: 'https://weather.sandbox.test/', methods: ['GET'] });
    expect(inside).toMatchObject({ outcome: 'challenged', httpStatus: 402 });
    expect(sandbox.userAgents).toEqual(['Touchstone/0.1 (+https://touchstone.example/)']);
    const outside = await prober({ url: 'https://example.com/', methods: ['GET'] });
    expect(outside).toMatchObject({ outcome: 'dns-error', httpStatus: null });
  });

  it('use stored data during the time-lapse', async () => {
    sandbox.clockAt = '2026-10-01T00:00:00.000Z';
    const { mayProbe } = await createReportContext({ ...options, sandboxFile: sandbox.file });
    expect(await mayProbe?.()).toBe(false);
  });

  it('fail without a running sandbox', async () => {
    const sandboxFile = `${sandbox.file}.none`;
    await expect(createReportContext({ ...options, sandboxFile })).rejects.toThrow('cannot be read');
  });
});

describe('reports on the public internet', () => {
  it('never connect to a private address', async () => {
    const { prober, hostSuffix } = await createReportContext(options);
    expect(hostSuffix).toBeNull();
    expect(await prober({ url: 'https://127.0.0.1/', methods: ['GET'] })).toMatchObject({
      outcome: 'refused-address',
      httpStatus: null,
    });
  });
});
