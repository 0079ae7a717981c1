import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { TestBuyer } from '../testing/buyer.ts';
import { openPurchaseTest, refuse } from '../testing/purchase-test.ts';
import { respond, SETTLED } from '../testing/seller.ts';

/** Starts a service that returns 503 until `state.sells` is true. */
async function openFailingShop() {
  const state = { sells: false };
  const shop = await openPurchaseTest({
    onPaid: ({ response }) => {
      if (state.sells) respond(response, { sold: true }, SETTLED);
      else response.writeHead(503, { 'retry-after': '3600' }).end('{"code":"payment-unavailable"}');
    },
  });
  await shop.buyTrust();
  return Object.assign(shop, { state });
}

describe('a refused payment', () => {
  it('stays stored, with an unknown charge, after a missing response', async () => {
    await using shop = await openPurchaseTest({
      onPaid: (sale) => {
        if (sale.paidBefore === 0) sale.response.socket?.destroy();
        else refuse(sale, 'nonce_already_used');
      },
    });
    const first = await shop.buyTrust();
    expect(first.code).toBe(2);
    expect(first.stderr).toContain('nonce_already_used');
    expect(first.stderr).toContain('It is unknown whether $0.005 was charged. Run the same command again');
    expect(first.stderr).not.toContain('Nothing was charged');
    const [file = ''] = shop.buyer.listStoredPayments();
    expect(first.stderr).toContain(file);
    // The next run sends the same payment. The payment is refused again and stays stored.
    expect((await shop.buyTrust()).stderr).not.toContain('Nothing was charged');
    const { signatures, unpaid } = shop.seller;
    expect([shop.buyer.listStoredPayments(), unpaid(), new Set(signatures).size]).toEqual([[file], 1, 1]);
  });
});

describe('a stored payment', () => {
  it('is sent again only within the limit of the current run', async () => {
    await using shop = await openFailingShop();
    const { buyer, seller, state } = shop;
    const sent = seller.signatures.length;
    const refused = await shop.buyTrust(['--max-usd', '0.001']);
    expect([refused.code, seller.signatures.length, seller.unpaid()]).toEqual([2, sent, 1]);
    expect(refused.stderr).toContain('amount of $0.005 is above the limit of $0.001');
    expect(buyer.listStoredPayments()).toHaveLength(1);
    state.sells = true;
    expect((await shop.buyTrust()).code).toBe(2); // The sold JSON is not a trust report.
    expect([seller.unpaid(), buyer.listStoredPayments()]).toEqual([1, []]);
  });

  it('of another wallet is sent again, with a note on the wallet', async () => {
    const other = generatePrivateKey();
    await using shop = await openFailingShop();
    shop.state.sells = true;
    const { stderr } = await shop.buyTrust([], undefined, { TOUCHSTONE_KEY: other });
    expect(stderr).toContain(`from ${shop.buyer.address}`);
    expect(stderr).toContain(`not from the current wallet, ${privateKeyToAccount(other).address}`);
    expect(shop.seller.unpaid()).toBe(1);
  });
});

const getLockFolder = (buyer: TestBuyer): string => join(buyer.home, 'touchstone', 'locks');

describe('concurrent runs of the same command', () => {
  it('sign only one payment', async () => {
    await using shop = await openPurchaseTest();
    const runs = await Promise.all(Array.from({ length: 4 }, () => shop.buyTrust()));
    const refused = runs.filter(({ stderr }) => stderr.includes('Another run of the same command'));
    expect([refused.length, new Set(shop.seller.signatures).size]).toEqual([3, 1]);
    expect(refused[0]?.stderr).toContain('Nothing was signed or charged');
    expect(readdirSync(getLockFolder(shop.buyer))).toEqual([]);
    // The lock was removed, so a later run can sign a new payment.
    await shop.buyTrust();
    expect(new Set(shop.seller.signatures).size).toBe(2);
  });

  it('replace the lock of a killed process, but not of another machine', async () => {
    await using shop = await openFailingShop();
    const locks = getLockFolder(shop.buyer);
    const [stored = ''] = shop.buyer.listStoredPayments();
    const lock = join(locks, `${stored.slice(0, 32)}.lock`);
    mkdirSync(locks, { recursive: true });
    // No process has the id 999999999: it is above the maximum of Linux and macOS.
    writeFileSync(lock, `${hostname()} 999999999\n`);
    shop.state.sells = true;
    expect((await shop.buyTrust()).stdout).toContain('sold');
    expect(readdirSync(locks)).toEqual([]);
    writeFileSync(lock, 'elsewhere 1\n');
    const { code, stderr } = await shop.buyTrust();
    expect([code, stderr]).toEqual([2, expect.stringContaining(lock)]);
    expect(readFileSync(lock, 'utf8')).toBe('elsewhere 1\n');
  });
});
