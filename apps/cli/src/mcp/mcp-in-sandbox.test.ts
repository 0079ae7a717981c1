import { PAYMENT_RESPONSE_META } from '@touchstone/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { RESOURCE } from '../testing/buyer.ts';
import { spawnMcpClient } from '../testing/mcp-client.ts';
import { openPaidSeller } from '../testing/paid-seller.ts';
import { startSandbox } from '../testing/start-sandbox.ts';
import { findExample } from '../testing/tool-seller.ts';

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it('touchstone mcp --sandbox pays concurrent calls on the local chain, up to the total limit', async () => {
  await using seller = await openPaidSeller({
    facilitatorUrl: sandbox.facilitatorUrl,
    price: '$0.005',
    createProduct: ({ path }) => findExample('POST', path),
  });
  sandbox.announceService(seller.base);
  const before = await sandbox.readSellerBalance();
  const server = await spawnMcpClient({
    args: ['--sandbox', '--data-dir', sandbox.folder, '--max-total-usd', '0.01'],
    env: { XDG_STATE_HOME: sandbox.folder },
  });
  const calls = [1, 2, 3].map((number) =>
    server.call('x402_trust_score', { resource: `${RESOURCE}/${String(number)}` }),
  );
  const results = await Promise.all(calls);
  expect(results.map(({ isError }) => isError)).toEqual([false, false, true]);
  expect(results[2]).toMatchObject({
    structured: { code: 'limit-exceeded' },
    texts: [expect.stringContaining('--max-total-usd')],
  });
  expect((await sandbox.readSellerBalance()) - before).toBe(10_000n);
  const receipt = z
    .object({ transaction: z.templateLiteral(['0x', z.string()]) })
    .parse(results[0]?.meta[PAYMENT_RESPONSE_META]);
  expect(await sandbox.client.getTransactionReceipt({ hash: receipt.transaction })).toMatchObject({
    status: 'success',
  });
  expect(await server.close()).toContain('local chain of the sandbox');
});
