import { expect, it } from 'vitest';
import { readBuyerAddress } from '../support/payment/buyer.ts';
import { countTransfersFrom, createWallet, readTransfers } from '../support/payment/chain.ts';
import { expectConformance } from '../support/mcp/conformance-baseline.ts';
import { runConformance } from '../support/mcp/conformance.ts';
import { parseQuote, signQuote } from '../support/mcp/mcp-client.ts';
import { bridgeToStdio, connectStdio } from '../support/mcp/mcp-stdio.ts';
import { readDemoWalletKey } from '../support/service-files.ts';
import { verifyDocument } from '../support/payment/signature.ts';
import { getSiteUrl } from '../support/site-request.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
/** Endpoint whose payTo address changed four days ago. */
const CHANGED = 'https://mintcheck.sandbox.test/v1/nft/rarity';
const FUNDS = 10_000n;

it('touchstone mcp passes every applicable scenario of the conformance suite', async () => {
  await using bridge = await bridgeToStdio();
  // The test bridge does not check the header `Host`, and the server itself has no HTTP.
  expectConformance(await runConformance(bridge.url), {
    'dns-rebinding-protection': /^localhost-host-rebinding-rejected: Expected HTTP 4xx/,
  });
});

/** Limits of one run by revision. Each permits one report and refuses the second one. */
const LIMITS = [
  ['2025-11-25', ['--max-calls', '1'], 'The limit of 1 payments in one run (--max-calls of touchstone mcp)'],
  ['2026-07-28', ['--max-total-usd', '0.009'], '$0.004 (--max-total-usd of touchstone mcp'],
] as const;

for (const [revision, args, reason] of LIMITS) {
  it(`touchstone mcp --sandbox pays by itself within ${args.join(' ')} over MCP ${revision}`, async () => {
    await using mcp = await connectStdio(revision, { args });
    expect(mcp.client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await mcp.client.listTools()).tools).toHaveLength(15);
    expect(mcp.client.getInstructions()).not.toContain('the first call returns a quote');
    const prompt = await mcp.client.getPrompt({ name: 'should_i_pay', arguments: { url: HEALTHY } });
    expect(JSON.stringify(prompt.messages)).toContain(HEALTHY);
    const summary = await mcp.call('x402_summary', { resource: HEALTHY });
    expect([summary.isError, summary.receipt]).toEqual([false, null]);

    const bought = await mcp.call('x402_trust_score', { resource: HEALTHY });
    expect(bought).toMatchObject({
      isError: false,
      structured: { schemaType: 'x402-trust', resource: HEALTHY },
      receipt: { payer: readBuyerAddress() },
    });
    expect(await verifyDocument(bought.structured)).toBe('valid');
    const transaction = bought.receipt?.transaction ?? '';
    expect(await readTransfers(transaction)).toMatchObject([{ from: readBuyerAddress(), amount: 5_000n }]);

    const refused = await mcp.call('x402_trust_score', { resource: CHANGED });
    expect(refused).toMatchObject({
      ...{ isError: true, receipt: null },
      structured: { code: 'limit-exceeded', notCharged: true },
    });
    expect(refused.texts[0]).toContain(reason);
    expect(refused.texts[0]).toContain('Nothing was signed or charged.');
    expect((await mcp.call('x402_summary', { resource: CHANGED })).isError).toBe(false);

    const messages = await mcp.close();
    expect(messages.match(/0x[0-9a-f]{64}/g)).toEqual([transaction]);
    expect(messages).not.toContain(readDemoWalletKey().slice(2));
  });
}

it('touchstone mcp without a wallet returns the quote, and passes the payment of its client on', async () => {
  const account = await createWallet(FUNDS);
  await using mcp = await connectStdio('2025-11-25', { args: ['--service', getSiteUrl()] });
  const unpaid = await mcp.call('x402_trust_score', { resource: HEALTHY });
  expect([unpaid.isError, unpaid.receipt]).toEqual([true, null]);
  expect(unpaid.texts[1]).toMatch(/^This call costs \$0\.005 in USDC on eip155:8453\./);
  expect(unpaid.texts[1]).toContain('the user sets TOUCHSTONE_KEY');
  const payment = await signQuote(account, parseQuote(unpaid));
  const bought = await mcp.call('x402_trust_score', { resource: HEALTHY }, { payment });
  expect(bought).toMatchObject({ isError: false, receipt: { payer: account.address.toLowerCase() } });
  expect(await verifyDocument(bought.structured)).toBe('valid');
  expect(await mcp.call('x402_trust_score', { resource: HEALTHY }, { payment })).toEqual(bought);
  expect(await countTransfersFrom(account.address)).toBe(1);
  expect(await mcp.close()).toContain('TOUCHSTONE_KEY is not set');
});
