import { expect, it } from 'vitest';
import { hasLanguage, openBuyerExample } from './testing/buyer-examples.ts';
import { startGuardService } from '../../testing/guarded-endpoint.ts';
import { startGuardServer } from './testing/guard-server.ts';
import { startPaidEndpoint } from './testing/paid-endpoint.ts';

// The compilation of the example takes up to a minute.
it.skipIf(!hasLanguage('go'))('the example in Go pays, and stops before a refused payment', async () => {
  await using service = await startGuardService({ endpoint: { confidence: 0.9 } });
  await using guard = await startGuardServer(['--service', service.base]);
  await using endpoint = await startPaidEndpoint();
  await using thief = await startPaidEndpoint({ payTo: '0x1111111111111111111111111111111111111111' });
  await using example = await openBuyerExample('go');
  expect(await example.buy(guard.base, endpoint.url)).toBe('the weather');
  expect(await guard.send('/spending')).toMatchObject({ status: 200 });
  expect(await example.buy(guard.base, thief.url)).toContain('the payment was refused');
  expect([endpoint.payments.length, thief.payments.length]).toEqual([1, 0]);
});
