import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PAYMENT_RESPONSE_META } from '@touchstone/contract';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RESOURCE } from '../testing/buyer.ts';
import { openMcpClient } from '../testing/mcp-client.ts';
import { openSandbox } from '../testing/open-sandbox.ts';
import { openPaidSeller } from '../testing/paid-seller.ts';
import { jsonLines } from '../testing/run-command.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { createChallenge, openSeller } from '../testing/seller.ts';
import { findExample } from '../testing/tool-seller.ts';

const ENDPOINT = 'https://skyfall.sandbox.test/v2/current';
const hashSchema = z.templateLiteral(['0x', z.string()]);

let sandbox: Awaited<ReturnType<typeof openSandbox>>;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

/** Starts a service that is paid on the sandbox chain and sells one report for half a cent. */
async function openService() {
  const seller = await openPaidSeller({
    facilitatorUrl: sandbox.facilitatorUrl,
    price: '$0.005',
    createProduct: ({ path }) => findExample('POST', path),
  });
  sandbox.announceService(seller.base);
  return seller;
}

describe('purchases in the sandbox', () => {
  const buy = ['buy', 'trust', '--yes', '--json'];

  it('are paid by the demo wallet on the local chain', async () => {
    await using service = await openService();
    const before = await sandbox.readSellerBalance();
    const { stdout, stderr } = await sandbox.run([...buy, '--sandbox', RESOURCE]);
    expect(JSON.parse(stdout)).toEqual(findExample('POST', '/v1/x402-trust'));
    expect(stderr).toContain('the demo wallet of the sandbox with made-up dollars');
    expect([service.signatures.length, (await sandbox.readSellerBalance()) - before]).toEqual([1, 5_000n]);
    const hash = hashSchema.parse(/0x[0-9a-f]{64}/.exec(stderr)?.[0]);
    expect(await sandbox.client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
  });

  it('of concurrent MCP calls are paid up to the total limit', async () => {
    await using service = await openService();
    await using server = await openMcpClient({
      args: ['--sandbox', '--data-dir', sandbox.folder, '--max-total-usd', '0.01'],
      env: { XDG_STATE_HOME: sandbox.folder },
    });
    const results = await Promise.all(
      [1, 2, 3].map((number) =>
        server.call('x402_trust_score', { resource: `${RESOURCE}/${String(number)}` }),
      ),
    );
    expect(results.map(({ isError }) => isError)).toEqual([false, false, true]);
    expect(results[2]?.structured).toMatchObject({ code: 'limit-exceeded' });
    expect(service.signatures).toHaveLength(2);
    const receipt = z.object({ transaction: hashSchema }).parse(results[0]?.meta[PAYMENT_RESPONSE_META]);
    expect(await sandbox.client.getTransactionReceipt({ hash: receipt.transaction })).toMatchObject({
      status: 'success',
    });
  });

  it('are paid on the network of the sandbox, unless an option names another one', async () => {
    const option = {
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      extra: { name: 'USDC', version: '2' },
    };
    await using seller = await openSeller({ challenge: (url) => createChallenge(url, option) });
    sandbox.announceService(seller.base, 'eip155:84532');
    const { stderr } = await sandbox.run([...buy, '--sandbox', '--network', 'eip155:8453', RESOURCE]);
    expect([stderr, seller.signatures]).toEqual([expect.stringContaining('eip155:84532'), []]);
    await sandbox.run([...buy, '--sandbox', RESOURCE]);
    const payments = seller.signatures.map((signature) => decodePaymentSignatureHeader(signature).accepted);
    expect(payments).toMatchObject([option]);
  });

  it('reject a real wallet; elsewhere, the refusal of an empty wallet leaves the charge unknown', async () => {
    await using service = await openService();
    const buyWithKey = (url: string) =>
      sandbox.run([...buy, '--service', url, RESOURCE], { TOUCHSTONE_KEY: `0x${'1'.repeat(64)}` });
    for (const url of [service.base, service.base.replace('127.0.0.1', 'localhost')])
      expect(await buyWithKey(url)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('A real wallet must not be used there') as unknown,
      });
    rmSync(join(sandbox.folder, 'sandbox.json'));
    // The x402 reference server sends no `notCharged`, so the command cannot know whether the payment was charged.
    expect((await buyWithKey(service.base)).stderr).toMatch(
      /refused the payment of \$0\.005 \(\S*insufficient_balance\).*It is unknown whether \$0\.005 was charged/,
    );
    sandbox.announceService();
  });
});

describe('touchstone lint --sandbox', () => {
  const lint = async (url: string) => {
    const { code, stdout, stderr } = await sandbox.run(['lint', '--json', '--sandbox', url]);
    return { code, line: jsonLines(stdout)[0], stderr };
  };

  it.each([
    ['healthy', 402],
    ['dead', null],
    ['oversized-header', 402],
  ])('lints a %s endpoint', async (kind, status) => {
    const response = await fetch(`${sandbox.controlUrl}/scenario`);
    const endpointSchema = z.object({ url: z.string(), kind: z.string() });
    const { endpoints } = z.object({ endpoints: z.array(endpointSchema) }).parse(await response.json());
    const found = endpoints.find((one) => one.kind === kind && !/[:{]/.test(new URL(one.url).pathname));
    const { line } = await lint(found?.url ?? '');
    expect(line).toMatchObject({ status, payable: { v2: kind === 'healthy' } });
  });

  it('rejects a host outside the sandbox', async () => {
    const { code, stderr } = await lint('https://api.example.com/');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not in the sandbox')]);
  });

  it('reports a missing sandbox, and one whose service has stopped', async () => {
    const run = (folder: string) =>
      runInProcess(['lint', '--sandbox', '--data-dir', folder, 'https://a.sandbox.test']);
    expect((await run('nowhere')).stderr).toContain(
      `No sandbox runs with the data folder ${resolve('nowhere')}: its sandbox.json cannot be read.`,
    );
    const stopped = join(sandbox.folder, 'stopped');
    mkdirSync(stopped);
    const controlUrl = 'http://127.0.0.1:9/';
    writeFileSync(join(stopped, 'sandbox.json'), JSON.stringify({ controlUrl, caFile: 'ca.pem' }));
    expect(await run(stopped)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `its sandbox.json names ${controlUrl}, which does not respond`,
      ) as unknown,
    });
  });
});

describe('touchstone sandbox', () => {
  it('makes every change of its help text in a running sandbox, and removes all changes', async () => {
    const lint = async () => (await sandbox.run(['lint', '--sandbox', ENDPOINT])).stdout;
    const before = await lint();
    const names = ['payto', 'price', 'asset', 'challenge', 'listing', 'outage'];
    for (const [index, name] of names.entries()) {
      const { code, stdout, stderr } = await sandbox.run(['sandbox', 'change', ENDPOINT, name]);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toBe(`${ENDPOINT} has these changes now: ${names.slice(0, index + 1).join(', ')}.\n`);
    }
    expect(await lint()).not.toBe(before);
    const restored = await sandbox.run(['sandbox', 'restore', ENDPOINT]);
    expect([restored.code, restored.stdout]).toEqual([0, `${ENDPOINT} has no changes now.\n`]);
    expect(await lint()).toBe(before);
  });

  it.each([
    ['https://nobody.sandbox.test/', 'payto', 'The sandbox changed nothing: endpoint must be the URL'],
    [ENDPOINT, 'name', 'Allowed choices are payto'],
  ])('prints why the sandbox did not change %s: %s', async (endpoint, name, message) => {
    const { code, stderr } = await sandbox.run(['sandbox', 'change', endpoint, name]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
