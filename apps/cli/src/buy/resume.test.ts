import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE, type TestBuyer } from '../testing/buyer.ts';
import { answer, challengeFor, header, openSeller, SETTLED, type Sale } from '../testing/seller.ts';

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

/** Answers with a new challenge, as the service does for a payment that it refuses. */
function refuse({ request, response }: Sale, body: Record<string, unknown> = { notCharged: true }): void {
  response.statusCode = 402;
  const url = `http://${request.headers.host ?? ''}/v1/x402-trust`;
  response.setHeader('payment-required', header({ ...challengeFor(url), error: 'nonce_already_used' }));
  answer(response, body);
}

/** A service that loses its answers until it is told to sell. */
async function openFailing() {
  const state = { sells: false };
  const seller = await openSeller({
    onPaid: ({ response }) => {
      if (state.sells) answer(response, { sold: true }, SETTLED);
      else response.writeHead(503, { 'retry-after': '3600' }).end('{"code":"payment-unavailable"}');
    },
  });
  return Object.assign(seller, { state });
}

describe('a refusal', () => {
  it('after a lost answer says that the outcome is not known, and keeps the payment', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: (sale) => (sale.before === 0 ? sale.response.socket?.destroy() && undefined : refuse(sale)),
    });
    const first = await buyer.run(trust(seller.base));
    expect(first.code).toBe(2);
    expect(first.stderr).toContain('nonce_already_used');
    expect(first.stderr).toContain(
      'Whether $0.005 was charged cannot be said here. Run the same command again',
    );
    expect(first.stderr).not.toContain('Nothing was charged');
    const [file = ''] = buyer.kept();
    expect(first.stderr).toContain(file);
    // Nor is it forgotten when the next run hears the same.
    const second = await buyer.run(trust(seller.base));
    expect(second.stderr).not.toContain('Nothing was charged');
    expect([buyer.kept(), seller.unpaid(), new Set(seller.signatures).size]).toEqual([[file], 1, 1]);
  });

  it('that does not say whether anything was charged is no refusal', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({ onPaid: (sale) => refuse(sale, {}) });
    const { stderr } = await buyer.run(trust(seller.base));
    expect(stderr).toContain('Whether $0.005 was charged cannot be said here');
    expect(buyer.kept()).toHaveLength(1);
  });
});

describe('an earlier payment', () => {
  it('above the limit of now is not sent, and is with a limit that allows it', async () => {
    using buyer = openBuyer();
    await using seller = await openFailing();
    await buyer.run(trust(seller.base));
    const sent = seller.signatures.length;
    const refused = await buyer.run(trust(seller.base, '--max-usd', '0.001'));
    expect([refused.code, seller.signatures.length, seller.unpaid()]).toEqual([2, sent, 1]);
    expect(refused.stderr).toContain('$0.005, more than the limit of $0.001');
    expect(buyer.kept()).toHaveLength(1);
    seller.state.sells = true;
    expect((await buyer.run(trust(seller.base))).code).toBe(2); // What is sold here is no trust report.
    expect([seller.unpaid(), buyer.kept()]).toEqual([1, []]);
  });

  it('of another wallet is said to be its, and costs this one nothing', async () => {
    const other = generatePrivateKey();
    using buyer = openBuyer();
    await using seller = await openFailing();
    await buyer.run(trust(seller.base));
    seller.state.sells = true;
    const { stderr } = await buyer.run(trust(seller.base), undefined, { TOUCHSTONE_KEY: other });
    expect(stderr).toContain(`of ${buyer.address}`);
    expect(stderr).toContain(`not by the wallet of now, ${privateKeyToAccount(other).address}`);
    expect(seller.unpaid()).toBe(1);
  });
});

const locksOf = (buyer: TestBuyer): string => join(buyer.home, 'touchstone', 'locks');

describe('two runs of the same command at once', () => {
  it('do not both sign', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller();
    const runs = await Promise.all(Array.from({ length: 4 }, () => buyer.run(trust(seller.base))));
    const refused = runs.filter(({ stderr }) => stderr.includes('Another run of the same command'));
    expect([refused.length, new Set(seller.signatures).size]).toEqual([3, 1]);
    expect(refused[0]?.stderr).toContain('Nothing was signed or charged');
    expect(readdirSync(locksOf(buyer))).toEqual([]);
    // Afterwards the way is free, for one that asks for something else all the time.
    await buyer.run(trust(seller.base));
    expect(new Set(seller.signatures).size).toBe(2);
  });

  it('are not held up by one that was killed, and are by one on another machine', async () => {
    using buyer = openBuyer();
    await using seller = await openFailing();
    await buyer.run(trust(seller.base));
    const locks = locksOf(buyer);
    const [kept = ''] = buyer.kept();
    const lock = join(locks, `${kept.slice(0, 32)}.lock`);
    mkdirSync(locks, { recursive: true });
    // No process has this number: it is above what Linux and macOS give.
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
