import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { KEY_SET_PATH, OPERATIONS, type TrustReport } from '@touchstone/contract';
import type { ScoreInputs } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../command-tools.ts';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { openPurchaseTest } from '../testing/purchase-test.ts';
import { createKeys, createSignedReport } from '../testing/reports.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { createChallenge, openSeller, respond, SETTLED } from '../testing/seller.ts';
import { openToolSeller } from '../testing/tool-seller.ts';
import { createBuyingCommands } from './buy-command.ts';

/**
 * Starts a service that sells a signed report and publishes its signing keys. `inputs` modifies the score inputs of the
 * report. `change` modifies the report after it is signed.
 */
async function openReportShop(
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
  return openPurchaseTest(seller);
}

const DOWN = { downSince: Date.UTC(2026, 4, 29) };
const toOther = (report: TrustReport) => ({ ...report, resource: 'https://other.example/' });

describe('touchstone buy trust', () => {
  it('shows the quote, gets confirmation, pays, verifies and prints', async () => {
    await using shop = await openReportShop();
    const { buyer, seller } = shop;
    const { code, stdout, stderr } = await shop.buyTrust([], 'y\n');
    expect(stderr).toContain('Price   $0.005 (5000 atomic units), limit $0.05');
    expect(stderr).toContain(`From    ${buyer.address}`);
    expect(stderr).toContain('Pay $0.005? [y/N]');
    expect(stdout).toContain(RESOURCE);
    expect(stdout).toMatch(/Grade [A-F]/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Paid $0.005 from ${buyer.address}`);
    expect(stdout).toContain('0xabab');
    expect(stdout).toContain('Figures agree');
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Signed by a key of ${seller.base}${KEY_SET_PATH}`);
    expect(stdout).not.toContain('touchstone similar');
    expect([code, seller.unpaid(), seller.signatures.length]).toEqual([0, 1, 1]);
    expect(buyer.listStoredPayments()).toEqual([]);
    expect(new Set(seller.bodies)).toEqual(new Set([JSON.stringify({ resource: RESOURCE })]));
  });

  it('signs nothing without a confirmation on a terminal or --yes', async () => {
    await using shop = await openReportShop();
    for (const input of ['n\n', '\n', 'yes please\n', '']) {
      const { code, stdout, stderr } = await shop.buyTrust([], input);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Nothing was signed or charged');
    }
    const args = ['buy', 'trust', '--service', shop.seller.base, RESOURCE];
    const { code, stderr } = await shop.buyer.run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Give --yes to pay up to $0.05')]);
    expect(shop.seller.signatures).toEqual([]);
  });

  it('prints only the response to standard output with --json', async () => {
    await using shop = await openReportShop();
    const { code, stdout, stderr } = await shop.buyTrust(['--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schemaType: 'x402-trust', resource: RESOURCE });
    expect(stderr).toContain('Figures agree');
    expect(stderr).toContain('transaction 0xabab');
  });

  it.each([
    ['with a changed figure', (report: TrustReport) => ({ ...report, score: 99.9 }), 'Figures differ'],
    ['about another endpoint', toOther, 'Wrong report'],
  ])('detects a report %s, and names no alternatives', async (_, change, finding) => {
    await using shop = await openReportShop(change, DOWN);
    const { code, stdout } = await shop.buyTrust();
    expect([code, stdout]).toEqual([1, expect.stringContaining(finding)]);
    if (change === toOther) expect(stdout).not.toContain('touchstone similar');
  });

  it.each([
    ['avoid', DOWN],
    [
      'caution',
      { probes: { total: 1_440, scored: 1_440, up: 1_000, excluded: 0, blocked: 0, redirected: 0 } },
    ],
  ])('names the command that finds alternatives when the recommendation is %s', async (verdict, inputs) => {
    await using shop = await openReportShop(undefined, inputs);
    const options = `--data-dir ${shop.buyer.home} --service ${shop.seller.base}`;
    const line = `Find alternatives: touchstone similar ${options} ${RESOURCE}\n`;
    const asText = await shop.buyTrust();
    expect([asText.code, asText.stdout.endsWith(`\n\n${line}`)]).toEqual([0, true]);
    expect(asText.stdout).toContain(verdict.toUpperCase());
    const asJson = await shop.buyTrust(['--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ recommendation: verdict });
    expect(asJson.stderr.endsWith(`\n${line}`)).toBe(true);
  });

  it('prints a paid response with an unknown schema version', async () => {
    const body = '{"schemaVersion":"9.0.0","note":"\u009b31mred\u202e"}';
    await using shop = await openPurchaseTest({ onPaid: ({ response }) => respond(response, body, SETTLED) });
    const { code, stdout, stderr } = await shop.buyTrust();
    expect([code, stdout]).toEqual([2, '{"schemaVersion":"9.0.0","note":"\\u009b31mred\\u202e"}\n']);
    expect(stderr).toContain('not a trust report that this version can read');
    expect(stderr).toContain('Paid $0.005');
  });

  it('pays nothing when the service does not respond, or requires no payment', async () => {
    await using shop = await openPurchaseTest();
    await shop.seller[Symbol.asyncDispose]();
    const { code, stderr } = await shop.buyTrust();
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/No response from .*Nothing was signed or charged/s),
    ]);
    await using free = await openPurchaseTest({ isFree: true });
    const { stdout, stderr: printed } = await free.buyTrust(['--json']);
    expect(JSON.parse(stdout)).toEqual({ sold: true });
    expect(printed).toContain('Paid nothing');
    expect(free.buyer.listStoredPayments()).toEqual([]);
  });

  it.each([
    [['buy', 'trust', '--detail', 'full'], '/v1/x402-trust?detail=full'],
    [['history', '--resolution', 'daily'], '/v1/x402-history?resolution=daily'],
    [['history'], '/v1/x402-history'],
  ])('sends the query of %j with and without the payment', async (command, path) => {
    const paths: string[] = [];
    await using shop = await openPurchaseTest({
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
    await shop.run([...command, '--json', RESOURCE]);
    expect(paths).toEqual([path, path]);
  });
});

describe('touchstone buy trust rejects, before any request,', () => {
  const service = 'https://touchstone.example';

  it.each([
    [['--service', 'http://touchstone.example'], 'is not HTTPS'],
    [['--service', 'ftp://touchstone.example'], 'is not an http or https URL'],
    [['--service', 'https://touchstone.example/v1'], 'without a path'],
    [['--service', 'https://me:secret@touchstone.example'], 'Remove them'],
    [['--service', service, '--max-usd', 'all'], '--max-usd all'],
    [['--service', service, '--max-usd', '-1'], '--max-usd -1'],
    [['--service', service, '--network', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], 'Use an EVM network'],
    [['--service', service, '--network', 'eip155:999999'], 'Use an EVM network'],
    [['--service', service, '--sandbox'], 'not both'],
    [['--sandbox'], 'No sandbox runs'],
    [[], 'No service is configured'],
    [['--service', service, 'weather'], '`resource` must be the full URL'],
  ])('the arguments %j', async (args, message) => {
    using buyer = openBuyer();
    const resource = args.at(-1) === 'weather' ? [] : [RESOURCE];
    const { code, stdout, stderr } = await buyer.run(['buy', 'trust', '--yes', ...args, ...resource]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(stderr).not.toContain('secret');
    expect(stderr).not.toContain(buyer.key.slice(2));
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
    await using shop = await openPurchaseTest({}, { TOUCHSTONE_KEY: key });
    const { code, stdout, stderr } = await shop.buyTrust();
    expect([code, stdout, shop.seller.signatures]).toEqual([2, '', []]);
    expect(stderr).toContain('TOUCHSTONE_KEY');
    if (key !== '') expect(stderr).not.toContain(key.slice(2));
  });

  it('is accepted without 0x, and never printed or sent', async () => {
    using plain = openBuyer();
    const key = plain.key.slice(2);
    await using shop = await openPurchaseTest({}, { TOUCHSTONE_KEY: ` ${key} ` });
    const { stdout, stderr } = await shop.buyTrust();
    expect(stderr).toContain(`From    ${plain.address}`);
    const sent = Buffer.from(shop.seller.signatures.join(), 'base64').toString();
    for (const text of [stdout, stderr, sent]) expect(text.toLowerCase()).not.toContain(key);
  });
});

describe('a command of a paid operation', () => {
  const commands = OPERATIONS.filter(({ priceUsd }) => priceUsd !== null).map(({ command }) => command);

  it.each([...new Set(commands)])(
    'exists, and its help has the text of the contract: $name',
    async (command) => {
      const { code, stdout } = await runInProcess([...(command?.name.split(' ') ?? []), '--help']);
      expect(code).toBe(0);
      for (const example of command?.examples ?? ['missing']) expect(stdout).toContain(`\n  ${example}\n`);
    },
  );

  it('prints each value of a result that has no formatter of its own', async () => {
    using buyer = openBuyer();
    await using seller = await openToolSeller({
      onPaid: ({ response }) =>
        respond(response, { resource: RESOURCE, days: [{ at: null, note: '\u001b[31mred' }] }, SETTLED),
    });
    const stdout = new PassThrough();
    const tools = {
      host: {
        stdin: new PassThrough(),
        stdout,
        stderr: new PassThrough(),
        env: { XDG_STATE_HOME: buyer.home, TOUCHSTONE_KEY: buyer.key },
      },
      out: createOutput(stdout),
      printMessage: () => undefined,
      setExitCode: () => undefined,
      sleep: () => Promise.resolve(),
    };
    const [history] = createBuyingCommands(null, {}, tools);
    const options = ['--yes', '--service', seller.base, '--data-dir', buyer.home];
    await history?.parseAsync([RESOURCE, ...options], { from: 'user' });
    stdout.end();
    const printed = await text(stdout);
    expect(printed).toContain(`resource: ${RESOURCE}\ndays:\n  0:\n    at: null\n    note: [31mred\n`);
    expect(printed.replace(/\s+/g, ' ')).toContain(`Paid $0.02 from ${buyer.address}`);
  });
});
