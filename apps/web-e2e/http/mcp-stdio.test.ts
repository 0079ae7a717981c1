import { expect, it } from 'vitest';
import { readBuyerAddress } from '../support/payment/buyer.ts';
import { readTransfers } from '../support/payment/chain.ts';
import { connectStdio } from '../support/mcp/mcp-stdio.ts';
import { readDemoWalletKey } from '../support/service-files.ts';
import { verifyDocument } from '../support/payment/signature.ts';

const HEALTHY = 'https://fxline.sandbox.test/v1/rates/latest';
/** Endpoint whose payTo address changed four days ago. */
const CHANGED = 'https://mintcheck.sandbox.test/v1/nft/rarity';

it('touchstone mcp --sandbox pays by itself, within its limit', async () => {
  await using mcp = await connectStdio('2026-07-28', { args: ['--max-calls', '1'] });
  expect((await mcp.client.listTools()).tools).not.toHaveLength(0);
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
  expect(refused.texts[0]).toContain('The limit of 1 payments in one run (--max-calls of touchstone mcp)');
  expect(refused.texts[0]).toContain('Nothing was signed or charged.');
  expect((await mcp.call('x402_summary', { resource: CHANGED })).isError).toBe(false);

  const messages = await mcp.close();
  expect(messages.match(/0x[0-9a-f]{64}/g)).toEqual([transaction]);
  expect(messages).not.toContain(readDemoWalletKey().slice(2));
});
