import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RESOURCE } from '../testing/buyer.ts';
import { createChallenge, openSeller } from '../testing/seller.ts';
import { openPaidSeller, type PaidSellerOptions } from '../testing/paid-seller.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { startSandbox } from '../testing/start-sandbox.ts';

const BASE_SEPOLIA_USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const findTransaction = (text: string): Hex => {
  const found = z.templateLiteral(['0x', z.string()]).parse(/0x[0-9a-f]{64}/.exec(text)?.[0]);
  return found;
};

/** Starts a service in the sandbox. The returned function `run` runs a command that buys from this service. */
async function openService(options: Omit<PaidSellerOptions, 'facilitatorUrl'>) {
  const seller = await openPaidSeller({ ...options, facilitatorUrl: sandbox.facilitatorUrl });
  sandbox.announceService(seller.base);
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runInProcess([...args, '--data-dir', sandbox.folder, RESOURCE], '', {
      env: { XDG_STATE_HOME: sandbox.folder, ...env },
    });
  return { ...seller, run };
}

describe('purchases in the sandbox', () => {
  it('are paid by the demo wallet on the local chain', async () => {
    await using service = await openService({ price: '$0.005', createProduct: () => ({ sold: 'a report' }) });
    const before = await sandbox.readSellerBalance();
    const { stdout, stderr } = await service.run(['buy', 'trust', '--sandbox', '--yes', '--json']);
    expect(JSON.parse(stdout)).toEqual({ sold: 'a report' });
    expect(stderr).toContain('the demo wallet of the sandbox with made-up dollars');
    expect((await sandbox.readSellerBalance()) - before).toBe(5_000n);
    const receipt = await sandbox.client.getTransactionReceipt({ hash: findTransaction(stderr) });
    expect(receipt.status).toBe('success');
  });

  it('include histories', async () => {
    await using service = await openService({
      price: '$0.02',
      createProduct: ({ body, path }) => ({ body, path }),
    });
    const { stdout } = await service.run(['history', '--sandbox', '--yes', '--json', '--days', '7']);
    expect(JSON.parse(stdout)).toEqual({
      path: '/v1/x402-history',
      body: JSON.stringify({ resource: RESOURCE, days: 7 }),
    });
  });

  it.each([
    {
      command: 'search',
      sold: { path: '/v1/semantic-search', body: JSON.stringify({ query: RESOURCE, limit: 7 }) },
      price: '$0.001',
      amount: 1_000n,
    },
    {
      command: 'similar',
      sold: { path: '/v1/similar', body: JSON.stringify({ resource: RESOURCE, limit: 7, minScoreDelta: 5 }) },
      price: '$0.005',
      amount: 5_000n,
    },
  ])('include lists of endpoints: $command', async ({ command, sold, price, amount }) => {
    await using service = await openService({ price, createProduct: ({ path, body }) => ({ path, body }) });
    const before = await sandbox.readSellerBalance();
    const { stdout, stderr } = await service.run([command, '--sandbox', '--yes', '--json', '--limit', '7']);
    expect(JSON.parse(stdout)).toEqual(sold);
    expect(stderr).toContain(`Price   ${price} `);
    expect((await sandbox.readSellerBalance()) - before).toBe(amount);
  });

  it('are paid once when the response after the settlement is lost', async () => {
    await using service = await openService({
      price: '$0.005',
      createProduct: () => ({ sold: true }),
      interrupt: ({ paidBefore: before, response }) => {
        if (before < 2) response.socket?.destroy();
        return before < 2;
      },
    });
    const before = await sandbox.readSellerBalance();
    const { stdout } = await service.run(['buy', 'trust', '--sandbox', '--yes', '--json']);
    expect(JSON.parse(stdout)).toEqual({ sold: true });
    expect([(await sandbox.readSellerBalance()) - before, service.signatures.length]).toEqual([5_000n, 3]);
    expect(readdirSync(join(sandbox.folder, 'touchstone', 'payments'))).toEqual([]);
  });

  it('are paid on the network of the sandbox, unless an option names another one', async () => {
    const option = {
      network: 'eip155:84532',
      asset: BASE_SEPOLIA_USDC,
      extra: { name: 'USDC', version: '2' },
    };
    await using seller = await openSeller({ challenge: (url) => createChallenge(url, option) });
    sandbox.announceService(seller.base, 'eip155:84532');
    const buy = (...args: readonly string[]) =>
      runInProcess(
        ['buy', 'trust', '--sandbox', '--yes', ...args, '--data-dir', sandbox.folder, RESOURCE],
        '',
        { env: { XDG_STATE_HOME: sandbox.folder } },
      );
    const { stderr } = await buy('--network', 'eip155:8453');
    expect(stderr).toContain('eip155:84532');
    expect(seller.signatures).toHaveLength(0);
    await buy();
    const payments = seller.signatures.map((signature) => decodePaymentSignatureHeader(signature).accepted);
    expect(payments).toMatchObject([option]);
  });

  it('reject a real wallet; elsewhere, the refusal of an empty wallet leaves the charge unknown', async () => {
    await using service = await openService({ price: '$0.005', createProduct: () => ({ sold: true }) });
    const key = `0x${'1'.repeat(64)}`;
    for (const url of [service.base, service.base.replace('127.0.0.1', 'localhost')]) {
      const args = ['buy', 'trust', '--yes', '--service', url];
      const { code, stderr } = await service.run(args, { TOUCHSTONE_KEY: key });
      expect([code, stderr]).toEqual([2, expect.stringContaining('A real wallet must not be used there')]);
    }
    rmSync(join(sandbox.folder, 'sandbox.json'));
    const { code, stderr } = await service.run(['buy', 'trust', '--yes', '--service', service.base], {
      TOUCHSTONE_KEY: key,
    });
    expect([code, stderr]).toEqual([
      2,
      // The x402 reference server sends no `notCharged`, so the command cannot know whether the payment was charged.
      expect.stringMatching(
        /refused the payment of \$0\.005 \(\S*insufficient_balance\).*It is unknown whether \$0\.005 was charged/,
      ),
    ]);
  });
});
