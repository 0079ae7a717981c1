import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasLanguage, openBuyerExample } from './testing/buyer-examples.ts';
import { type GuardService, startGuardService } from '../../testing/guarded-endpoint.ts';
import { startGuardServer } from './testing/guard-server.ts';
import { startPaidEndpoint } from './testing/paid-endpoint.ts';
import { runInProcess } from '../../testing/run-in-process.ts';

let service: GuardService;
beforeAll(async () => {
  service = await startGuardService({ endpoint: { confidence: 0.9 } });
});
afterAll(() => service[Symbol.asyncDispose]());

it.skipIf(!hasLanguage('python'))('the example in Python pays once, also after a lost response', async () => {
  await using guard = await startGuardServer(['--service', service.base]);
  await using endpoint = await startPaidEndpoint();
  await using example = await openBuyerExample('python');
  endpoint.losesResponse = true;
  expect(await example.buy(guard.base, endpoint.url)).toContain('RemoteDisconnected');
  expect(await example.buy(guard.base, endpoint.url)).toBe('the weather');
  const [first] = endpoint.payments;
  expect(endpoint.payments).toEqual([first, first]);
  const sums = await runInProcess(['receipts', '--journal', guard.journal, '--by', 'host']);
  expect(sums.stdout).toMatch(/total +1 payment +1 delivered +\$0\.01\n/);
  expect(await example.buy(guard.base, endpoint.url)).toMatch(
    /PermissionError: \['The same request was paid/,
  );
  expect(endpoint.payments).toHaveLength(2);
});

it.skipIf(!hasLanguage('python'))(
  'the example in Python stops after two lost responses of a seller',
  async () => {
    await using guard = await startGuardServer(['--service', service.base, '--no-trace']);
    await using endpoint = await startPaidEndpoint();
    await using example = await openBuyerExample('python');
    const results: string[] = [];
    for (const query of ['a', 'b', 'c']) {
      endpoint.losesResponse = true;
      results.push(await example.buy(guard.base, `${endpoint.url}?${query}`));
    }
    expect(endpoint.payments).toHaveLength(2);
    expect(results[2]).toContain('in the last 24 hours without a delivery');
  },
);
