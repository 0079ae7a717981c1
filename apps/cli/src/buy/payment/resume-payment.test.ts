import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE, type TestBuyer } from '../../testing/buyer.ts';
import {
  respond,
  createChallenge,
  encodeHeader,
  openSeller,
  SETTLED,
  type PaidRequest,
} from '../../testing/seller.ts';

const trust = (service: string, ...more: readonly string[]) => [
  'buy',
  'trust',
  '--yes',
  '--json',
  '--service',
  service,
  ...more,
  RESOURCE,
];

/** Refuses a payment as the service does: with status 402 and a new challenge. */
function refuse(
  { request, response }: PaidRequest,
  body: Record<string, unknown> = { notCharged: true },
): void {
  response.statusCode = 402;
  const url = `http://${request.headers.host ?? ''}/v1/x402-trust`;
  response.setHeader(
    'payment-required',
    encodeHeader({ ...createChallenge(url), error: 'nonce_already_used' }),
  );
  respond(response, body);
}

/** Starts a service that returns 503 until `state.sells` is true. */
async function openFailingSeller() {
  const state = { sells: false };
  const seller = await openSeller({
    onPaid: ({ response }) => {
      if (state.sells) respond(response, { sold: true }, SETTLED);
      else response.writeHead(503, { 'retry-after': '3600' }).end('{"code":"payment-unavailable"}');
    },
  });
  return Object.assign(seller, { state });
}

describe('a refused payment', () => {
  it('stays stored, with an unknown charge, after a missing response', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: (sale) => (sale.paidBefore === 0 ? sale.response.socket?.destroy() && undefined : refuse(sale)),
    });
    const first = await buyer.run(trust(seller.base));
    expect(first.code).toBe(2);
    expect(first.stderr).toContain('nonce_already_used');
    expect(first.stderr).toContain('It is unknown whether $0.005 was charged. Run the same command again');
    expect(first.stderr).not.toContain('Nothing was charged');
    const [file = ''] = buyer.listStoredPayments();
    expect(first.stderr).toContain(file);
    // The next run sends the same payment. The payment is refused again and stays stored.
    const second = await buyer.run(trust(seller.base));
    expect(second.stderr).not.toContain('Nothing was charged');
    expect([buyer.listStoredPayments(), seller.unpaid(), new Set(seller.signatures).size]).toEqual([
      [file],
      1,
      1,
    ]);
  });

  it('stays stored when the service does not state whether it charged', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({ onPaid: (sale) => refuse(sale, {}) });
    const { stderr } = await buyer.run(trust(seller.base));
    expect(stderr).toContain('It is unknown whether $0.005 was charged');
    expect(buyer.listStoredPayments()).toHaveLength(1);
  });
});

describe('a stored payment', () => {
  it('is sent again only within the limit of the current run', async () => {
    using buyer = openBuyer();
    await using seller = await openFailingSeller();
    await buyer.run(trust(seller.base));
    const sent = seller.signatures.length;
    const refused = await buyer.run(trust(seller.base, '--max-usd', '0.001'));
    expect([refused.code, seller.signatures.length, seller.unpaid()]).toEqual([2, sent, 1]);
    expect(refused.stderr).toContain('amount of $0.005 is above the limit of $0.001');
    expect(buyer.listStoredPayments()).toHaveLength(1);
    seller.state.sells = true;
    expect((await buyer.run(trust(seller.base))).code).toBe(2); // The sold JSON is not a trust report.
    expect([seller.unpaid(), buyer.listStoredPayments()]).toEqual([1, []]);
  });

  it('of another wallet is sent again, with a note on the wallet', async () => {
    const other = generatePrivateKey();
    using buyer = openBuyer();
    await using seller = await openFailingSeller();
    await buyer.run(trust(seller.base));
    seller.state.sells = true;
    const { stderr } = await buyer.run(trust(seller.base), undefined, { TOUCHSTONE_KEY: other });
    expect(stderr).toContain(`from ${buyer.address}`);
    expect(stderr).toContain(`not from the current wallet, ${privateKeyToAccount(other).address}`);
    expect(seller.unpaid()).toBe(1);
  });
});

const getLockFolder = (buyer: TestBuyer): string => join(buyer.home, 'touchstone', 'locks');

describe('concurrent runs of the same command', () => {
  it('sign only one payment', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller();
    const runs = await Promise.all(Array.from({ length: 4 }, () => buyer.run(trust(seller.base))));
    const refused = runs.filter(({ stderr }) => stderr.includes('Another run of the same command'));
    expect([refused.length, new Set(seller.signatures).size]).toEqual([3, 1]);
    expect(refused[0]?.stderr).toContain('Nothing was signed or charged');
    expect(readdirSync(getLockFolder(buyer))).toEqual([]);
    // The lock was removed, so a later run can sign a new payment.
    await buyer.run(trust(seller.base));
    expect(new Set(seller.signatures).size).toBe(2);
  });

  it('replace the lock of a killed process, but not of another machine', async () => {
    using buyer = openBuyer();
    await using seller = await openFailingSeller();
    await buyer.run(trust(seller.base));
    const locks = getLockFolder(buyer);
    const [stored = ''] = buyer.listStoredPayments();
    const lock = join(locks, `${stored.slice(0, 32)}.lock`);
    mkdirSync(locks, { recursive: true });
    // No process has the id 999999999: it is above the maximum of Linux and macOS.
    writeFileSync(lock, `${hostname()} 999999999\n`);
    seller.state.sells = true;
    expect((await buyer.run(trust(seller.base))).stdout).toContain('sold');
    expect(readdirSync(locks)).toEqual([]);
    writeFileSync(lock, 'elsewhere 1\n');
    const { code, stderr } = await buyer.run(trust(seller.base));
    expect([code, stderr]).toEqual([2, expect.stringContaining(lock)]);
    expect(readFileSync(lock, 'utf8')).toBe('elsewhere 1\n');
  });
});
