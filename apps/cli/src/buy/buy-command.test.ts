import { KEY_SET_PATH, type TrustReport } from '@touchstone/contract';
import type { ScoreInputs } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { createKeys, createSignedReport } from '../testing/reports.ts';
import { createChallenge, respond, openSeller, SETTLED, type PaidRequest } from '../testing/seller.ts';
import { startServer } from '../testing/serve.ts';

/**
 * Starts a service that sells a signed report and publishes its signing keys. `change` modifies the report after
 * signing, and `inputs` modifies its score inputs before.
 */
async function openReportSeller(
  change: (report: TrustReport) => unknown = (report) => report,
  inputs: Partial<ScoreInputs> = {},
) {
  const state: { keys?: Awaited<ReturnType<typeof createKeys>> } = {};
  const seller = await openSeller({
    onGet: (path, response) => respond(response, path === KEY_SET_PATH ? state.keys?.published : {}),
    onPaid: async ({ response }) => {
      if (state.keys === undefined) throw new Error('The service has no keys');
      respond(response, change(await createSignedReport(state.keys, seller.base, inputs)), SETTLED);
    },
  });
  state.keys = await createKeys(seller.base);
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
  it('shows the quote, gets confirmation, pays, verifies and prints', async () => {
    using buyer = openBuyer();
    await using seller = await openReportSeller();
    const { code, stdout, stderr } = await buyer.run(trust(seller.base), 'y\n');
    expect(stderr).toContain('Price   $0.005 (5000 atomic units), limit $0.05');
    expect(stderr).toContain(`From    ${buyer.address}`);
    expect(stderr).toContain('Pay $0.005? [y/N]');
    expect(stdout).toContain(RESOURCE);
    expect(stdout).toMatch(/Grade [A-F]/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Paid $0.005 from ${buyer.address}`);
    expect(stdout).toContain('0xabab');
    expect(stdout).toContain('Figures agree');
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Signed by a key of ${seller.base}${KEY_SET_PATH}`);
    expect(code).toBe(0);
    expect([seller.unpaid(), seller.signatures.length, buyer.listStoredPayments()]).toEqual([1, 1, []]);
    expect(new Set(seller.bodies)).toEqual(new Set([JSON.stringify({ resource: RESOURCE })]));
  });

  it.each(['n\n', '\n', 'yes please\n', ''])('signs nothing after the input %j', async (typed) => {
    using buyer = openBuyer();
    await using seller = await openReportSeller();
    const { code, stdout, stderr } = await buyer.run(trust(seller.base), typed);
    expect([code, stdout, seller.signatures]).toEqual([2, '', []]);
    expect(stderr).toContain('Nothing was signed or charged');
  });

  it('needs a terminal or --yes', async () => {
    using buyer = openBuyer();
    await using seller = await openReportSeller();
    const refused = await buyer.run(trust(seller.base));
    expect([refused.code, seller.signatures]).toEqual([2, []]);
    expect(refused.stderr).toContain('Give --yes to pay up to $0.05');
    expect((await buyer.run(trust(seller.base, '--yes'))).code).toBe(0);
  });

  it('prints only the response to standard output with --json', async () => {
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
      'about another endpoint',
      (report: TrustReport): unknown => ({ ...report, resource: 'https://other.example/' }),
      'Wrong report',
    ],
  ])('detects a report %s', async (_, change, finding) => {
    using buyer = openBuyer();
    await using seller = await openReportSeller(change);
    const { code, stdout } = await buyer.run(trust(seller.base, '--yes'));
    expect([code, stdout]).toEqual([1, expect.stringContaining(finding)]);
  });

  it.each([
    ['avoid', { downSince: Date.UTC(2026, 4, 29) }],
    [
      'caution',
      { probes: { total: 1_440, scored: 1_440, up: 1_000, excluded: 0, blocked: 0, redirected: 0 } },
    ],
  ])('names the command that finds alternatives when the recommendation is %s', async (verdict, inputs) => {
    using buyer = openBuyer();
    await using seller = await openReportSeller(undefined, inputs);
    const line = `Find alternatives: touchstone similar --data-dir ${buyer.home} --service ${seller.base} ${RESOURCE}\n`;
    const asText = await buyer.run(trust(seller.base, '--yes'));
    expect([asText.code, asText.stdout.endsWith(`\n\n${line}`)]).toEqual([0, true]);
    expect(asText.stdout).toContain(verdict.toUpperCase());
    const asJson = await buyer.run(trust(seller.base, '--yes', '--json'));
    expect(JSON.parse(asJson.stdout)).toMatchObject({ recommendation: verdict });
    expect(asJson.stderr.endsWith(`\n${line}`)).toBe(true);
  });

  it('names no alternatives to an endpoint that can be paid, or when the report is about another endpoint', async () => {
    using buyer = openBuyer();
    await using good = await openReportSeller();
    expect((await buyer.run(trust(good.base, '--yes'))).stdout).not.toContain('touchstone similar');
    const change = (report: TrustReport) => ({ ...report, resource: 'https://other.example/' });
    await using wrong = await openReportSeller(change, { downSince: Date.UTC(2026, 4, 29) });
    const { code, stdout } = await buyer.run(trust(wrong.base, '--yes'));
    expect([code, stdout]).toEqual([1, expect.stringContaining('AVOID')]);
    expect(stdout).not.toContain('touchstone similar');
  });

  it('prints a paid response with an unknown schema version', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller({
      onPaid: ({ response }) =>
        respond(response, '{"schemaVersion":"9.0.0","note":"\u009b31mred\u202e"}', SETTLED),
    });
    const { code, stdout, stderr } = await buyer.run(trust(seller.base, '--yes'));
    expect([code, stdout]).toEqual([2, '{"schemaVersion":"9.0.0","note":"\\u009b31mred\\u202e"}\n']);
    expect(stderr).toContain('not a trust report that this version can read');
    expect(stderr).toContain('Paid $0.005');
  });

  it('reports a service that does not respond', async () => {
    using buyer = openBuyer();
    const gone = await openSeller();
    await gone[Symbol.asyncDispose]();
    const { code, stderr } = await buyer.run(trust(gone.base, '--yes'));
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/No response from .*Nothing was signed or charged/s),
    ]);
  });

  it('pays nothing when the service requires no payment', async () => {
    using buyer = openBuyer();
    await using server = await startServer((_, response) => respond(response, { free: true }));
    const { stdout, stderr } = await buyer.run(trust(`http://127.0.0.1:${server.port}`, '--yes', '--json'));
    expect(JSON.parse(stdout)).toEqual({ free: true });
    expect(stderr).toContain('Paid nothing');
    expect(buyer.listStoredPayments()).toEqual([]);
  });
});

describe('the query of a purchase', () => {
  it.each([
    [['buy', 'trust', '--detail', 'full'], '/v1/x402-trust?detail=full'],
    [['history', '--resolution', 'daily'], '/v1/x402-history?resolution=daily'],
    [['buy', 'trust'], '/v1/x402-trust'],
    [['history'], '/v1/x402-history'],
  ])('of %j is sent with and without the payment', async (command, path) => {
    using buyer = openBuyer();
    const paths: string[] = [];
    await using seller = await openSeller({
      challenge: (url) => {
        const { origin, pathname, search } = new URL(url);
        paths.push(pathname + search);
        return createChallenge(origin + pathname);
      },
      onPaid: (sale) => {
        paths.push(sale.path);
        respond(sale.response, {}, SETTLED);
      },
    });
    await buyer.run([...command, '--service', seller.base, '--yes', '--json', RESOURCE]);
    expect(paths).toEqual([path, path]);
  });

  it.each([
    ['buy', 'trust', '--detail', 'short'],
    ['history', '--resolution', 'hourly'],
  ])('rejects another value before any request: %s %s %s', async (...command) => {
    using buyer = openBuyer();
    await using seller = await openSeller();
    const { code, stderr } = await buyer.run([...command, '--service', seller.base, '--yes', RESOURCE]);
    expect([code, seller.unpaid()]).toEqual([2, 0]);
    expect(stderr).toMatch(/--detail <level>|--resolution <size>/);
  });
});

describe('touchstone buy trust rejects, before any request,', () => {
  const runRejected = async (args: readonly string[], env: Record<string, string> = {}) => {
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
    ['https://me:secret@touchstone.example', 'Remove them'],
  ])('the service %s', async (service, message) => {
    const stderr = await runRejected(trust(service, '--yes'));
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
  });

  it.each([
    [['--max-usd', 'all'], '--max-usd all'],
    [['--max-usd', '-1'], '--max-usd -1'],
    [['--network', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], 'Use an EVM network'],
    [['--network', 'eip155:999999'], 'Use an EVM network'],
    [['--sandbox'], 'not both'],
  ])('the options %j', async (options, message) => {
    expect(await runRejected(trust('https://touchstone.example', ...options))).toContain(message);
  });

  it('an endpoint without a valid URL', async () => {
    expect(
      await runRejected(['buy', 'trust', '--service', 'https://touchstone.example', 'weather']),
    ).toContain('`resource` must be the full URL');
  });

  it('a missing service, and a sandbox that is not running', async () => {
    expect(await runRejected(['buy', 'trust', RESOURCE])).toContain('No service is configured');
    expect(await runRejected(['buy', 'trust', '--sandbox', RESOURCE])).toContain('No sandbox runs');
  });
});

describe('the private key', () => {
  it.each([
    ['an empty key', ''],
    ['a key that is too short', '0x1234'],
    ['a key without hexadecimal digits', `0x${'z'.repeat(64)}`],
    ['zero', `0x${'0'.repeat(64)}`],
    ['a number beyond the curve', `0x${'f'.repeat(64)}`],
  ])('%s is rejected and never printed', async (_, key) => {
    using buyer = openBuyer({ TOUCHSTONE_KEY: key });
    await using seller = await openSeller();
    const { code, stdout, stderr } = await buyer.run(trust(seller.base, '--yes'));
    expect([code, stdout, seller.signatures]).toEqual([2, '', []]);
    expect(stderr).toContain('TOUCHSTONE_KEY');
    if (key !== '') expect(stderr).not.toContain(key.slice(2));
  });

  it('is never printed or sent', async () => {
    using buyer = openBuyer();
    const sales: PaidRequest[] = [];
    await using seller = await openSeller({
      onPaid: (sale) => {
        sales.push(sale);
        sale.response.statusCode = 503;
        sale.response.setHeader('retry-after', '0');
        respond(sale.response, {});
      },
    });
    const { stdout, stderr } = await buyer.run(trust(seller.base, '--yes'));
    const sent = sales.map(({ signature }) => Buffer.from(signature, 'base64').toString()).join();
    for (const text of [stdout, stderr, sent]) expect(text.toLowerCase()).not.toContain(buyer.key.slice(2));
  });

  it('is accepted without 0x', async () => {
    using plain = openBuyer();
    using buyer = openBuyer({ TOUCHSTONE_KEY: ` ${plain.key.slice(2)} ` });
    await using seller = await openSeller();
    const { stderr } = await buyer.run(trust(seller.base, '--yes'));
    expect(stderr).toContain(`From    ${plain.address}`);
  });
});
