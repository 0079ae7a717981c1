import { KEY_SET_PATH, type TrustReport } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { keysFor, signedBy } from '../testing/reports.ts';
import { answer, openSeller, SETTLED, type Sale } from '../testing/seller.ts';
import { serve } from '../testing/serve.ts';

/** A service that sells one report, signed by itself, with its keys where they belong. */
async function openReportSeller(change: (report: TrustReport) => unknown = (report) => report) {
  const made: { keys?: Awaited<ReturnType<typeof keysFor>> } = {};
  const seller = await openSeller({
    onGet: (path, response) => answer(response, path === KEY_SET_PATH ? made.keys?.published : {}),
    onPaid: async ({ response }) => {
      if (made.keys === undefined) throw new Error('there are no keys');
      answer(response, change(await signedBy(made.keys, seller.base)), SETTLED);
    },
  });
  made.keys = await keysFor(seller.base);
  return seller;
}

const trust = (service: string, ...more: readonly string[]) => [
  'buy',
  'trust',
  '--service',
  service,
  ...more,
  RESOURCE,
];

describe('touchstone buy trust', () => {
  it('shows the quote, asks, pays, verifies and prints', async () => {
    using buyer = openBuyer();
    await using seller = await openReportSeller();
    const { code, stdout, stderr } = await buyer.run(trust(seller.base), 'y\n');
    expect(stderr).toContain('Price   $0.005 (5000 atomic units), limit $0.05');
    expect(stderr).toContain(`From    ${buyer.address}`);
    expect(stderr).toContain('Pay $0.005? [y/N]');
    expect(stdout).toContain(RESOURCE);
    expect(stdout).toMatch(/Grade [A-F]/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Paid $0.005 by ${buyer.address}`);
    expect(stdout).toContain('0xabab');
    expect(stdout).toContain('Figures agree');
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Signed by a key of ${seller.base}${KEY_SET_PATH}`);
    expect(code).toBe(0);
    expect([seller.unpaid(), seller.signatures.length, buyer.kept()]).toEqual([1, 1, []]);
    expect(new Set(seller.bodies)).toEqual(new Set([JSON.stringify({ resource: RESOURCE })]));
  });

  it.each(['n\n', '\n', 'yes please\n', ''])('signs nothing when the answer is %j', async (typed) => {
    using buyer = openBuyer();
    await using seller = await openReportSeller();
    const { code, stdout, stderr } = await buyer.run(trust(seller.base), typed);
    expect([code, stdout, seller.signatures]).toEqual([2, '', []]);
    expect(stderr).toContain('Nothing was signed or charged');
  });

  it('refuses to pay unasked without a terminal, and pays with --yes', async () => {
    using buyer = openBuyer();
    await using seller = await openReportSeller();
    const refused = await buyer.run(trust(seller.base));
    expect([refused.code, seller.signatures]).toEqual([2, []]);
    expect(refused.stderr).toContain('Give --yes to pay up to $0.05');
    expect((await buyer.run(trust(seller.base, '--yes'))).code).toBe(0);
  });

  it('prints with --json what came, and nothing else on standard output', async () => {
    using buyer = openBuyer();
    await using seller = await openReportSeller();
    const { code, stdout, stderr } = await buyer.run(trust(seller.base, '--yes', '--json'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schemaType: 'x402-trust', resource: RESOURCE });
    expect(stderr).toContain('Figures agree');
    expect(stderr).toContain('transaction 0xabab');
  });

  it.each([
    [
      'with a changed figure',
      (report: TrustReport): unknown => ({ ...report, score: 99.9 }),
      'Figures differ',
    ],
    [
      'on something else',
      (report: TrustReport): unknown => ({ ...report, resource: 'https://other.example/' }),
      'Not what was asked for',
    ],
  ])('says so of a report %s', async (_, change, words) => {
    using buyer = openBuyer();
    await using seller = await openReportSeller(change);
    const { code, stdout } = await buyer.run(trust(seller.base, '--yes'));
    expect([code, stdout]).toEqual([1, expect.stringContaining(words)]);
  });

  it('hands out what was paid for, whatever it is', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ response }) =>
        answer(response, '{"schemaVersion":"9.0.0","note":"\u009b31mred\u202e"}', SETTLED),
    });
    const { code, stdout, stderr } = await buyer.run(trust(seller.base, '--yes'));
    expect([code, stdout]).toEqual([2, '{"schemaVersion":"9.0.0","note":"\\u009b31mred\\u202e"}\n']);
    expect(stderr).toContain('not a trust report as this version knows it');
    expect(stderr).toContain('Paid $0.005');
  });

  it('says so when nobody answers', async () => {
    using buyer = openBuyer();
    const gone = await openSeller();
    await gone[Symbol.asyncDispose]();
    const { code, stderr } = await buyer.run(trust(gone.base, '--yes'));
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/cannot be asked: .*Nothing was signed or charged/s),
    ]);
  });

  it('pays nothing where nothing is asked for', async () => {
    using buyer = openBuyer();
    await using server = await serve((_, response) => answer(response, { free: true }));
    const { stdout, stderr } = await buyer.run(trust(`http://127.0.0.1:${server.port}`, '--yes', '--json'));
    expect(JSON.parse(stdout)).toEqual({ free: true });
    expect(stderr).toContain('Paid nothing');
    expect(buyer.kept()).toEqual([]);
  });
});

describe('what is refused before anything is asked', () => {
  const refused = async (args: readonly string[], env: Record<string, string> = {}) => {
    using buyer = openBuyer(env);
    const { code, stdout, stderr } = await buyer.run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain(buyer.key.slice(2));
    return stderr;
  };

  it.each([
    ['http://touchstone.example', 'is not HTTPS'],
    ['ftp://touchstone.example', 'is not an http or https URL'],
    ['https://touchstone.example/v1', 'without a path'],
    ['https://me:secret@touchstone.example', 'leave them out'],
  ])('the service %s', async (service, words) => {
    const stderr = await refused(trust(service, '--yes'));
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('secret');
  });

  it.each([
    [['--max-usd', 'all'], '--max-usd all'],
    [['--max-usd', '-1'], '--max-usd -1'],
    [['--network', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], 'on EVM networks'],
    [['--network', 'eip155:999999'], 'on EVM networks'],
    [['--sandbox'], 'not both'],
  ])('%j', async (options, words) => {
    expect(await refused(trust('https://touchstone.example', ...options))).toContain(words);
  });

  it('an endpoint that is no URL', async () => {
    expect(await refused(['buy', 'trust', '--service', 'https://touchstone.example', 'weather'])).toContain(
      'Give the full URL',
    );
  });

  it('no service at all, and no sandbox where none runs', async () => {
    expect(await refused(['buy', 'trust', RESOURCE])).toContain('Say where to buy');
    expect(await refused(['buy', 'trust', '--sandbox', RESOURCE])).toContain('No sandbox runs');
  });
});

describe('the key', () => {
  it.each([
    ['none', ''],
    ['one that is too short', '0x1234'],
    ['no hexadecimal digits', `0x${'z'.repeat(64)}`],
    ['zero', `0x${'0'.repeat(64)}`],
    ['a number beyond the curve', `0x${'f'.repeat(64)}`],
  ])('%s is refused and never shown', async (_, key) => {
    using buyer = openBuyer({ TOUCHSTONE_KEY: key });
    await using seller = await openSeller();
    const { code, stdout, stderr } = await buyer.run(trust(seller.base, '--yes'));
    expect([code, stdout, seller.signatures]).toEqual([2, '', []]);
    expect(stderr).toContain('TOUCHSTONE_KEY');
    if (key !== '') expect(stderr).not.toContain(key.slice(2));
  });

  it('is in nothing that is printed, kept or sent', async () => {
    using buyer = openBuyer();
    const sales: Sale[] = [];
    await using seller = await openSeller({
      onPaid: (sale) => {
        sales.push(sale);
        sale.response.statusCode = 503;
        sale.response.setHeader('retry-after', '0');
        answer(sale.response, {});
      },
    });
    const { stdout, stderr } = await buyer.run(trust(seller.base, '--yes'));
    const sent = sales.map(({ signature }) => Buffer.from(signature, 'base64').toString()).join();
    for (const text of [stdout, stderr, sent]) expect(text.toLowerCase()).not.toContain(buyer.key.slice(2));
  });

  it('may lack its 0x', async () => {
    using plain = openBuyer();
    using buyer = openBuyer({ TOUCHSTONE_KEY: ` ${plain.key.slice(2)} ` });
    await using seller = await openSeller();
    const { stderr } = await buyer.run(trust(seller.base, '--yes'));
    expect(stderr).toContain(`From    ${plain.address}`);
  });
});
