import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * Entry file of the sandbox. The sandbox runs a chain with the chain id of Base, a token with the signature checks of
 * USDC, and the reference facilitator, which settles on this chain.
 */
const SANDBOX = fileURLToPath(new URL('../../../../apps/sandbox/src/main.ts', import.meta.url));
const readySchema = z.object({
  chainRpcUrls: z.object({ 'eip155:8453': z.string() }),
  facilitatorUrl: z.string(),
});
const verifiedSchema = z.object({ isValid: z.boolean(), invalidReason: z.string().optional() });
const settledSchema = z.object({ success: z.boolean(), errorReason: z.string().optional() });
const balanceSchema = z.object({ result: z.string().transform(BigInt) });
/** Selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';

/** A payment and the payment option for which it was signed. */
interface SignedOption {
  readonly payment: unknown;
  readonly option: unknown;
}

/** A running reference facilitator and its chain. */
export interface LocalFacilitator {
  /** Gives a wallet one US dollar in USDC. */
  fund(wallet: string): Promise<void>;
  readBalance(wallet: string): Promise<bigint>;
  /** Verifies and settles a payment. Returns null when it settles, otherwise the error reason of the facilitator. */
  settle(payment: SignedOption): Promise<string | null>;
  stop(): Promise<void>;
}

/**
 * Starts the reference facilitator with a local chain.
 *
 * @param usdc address of USDC on Base
 */
export async function startLocalFacilitator(usdc: string): Promise<LocalFacilitator> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-settlement-'));
  const child = fork(SANDBOX, {
    env: { ...process.env, SANDBOX_DATA_DIR: folder, SANDBOX_HISTORY_DAYS: '0' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const messages: unknown[] = await once(child, 'message');
  const { chainRpcUrls, facilitatorUrl } = readySchema.parse(messages[0]);
  const callChain = (method: string, params: unknown): Promise<unknown> =>
    post(chainRpcUrls['eip155:8453'], { jsonrpc: '2.0', id: 1, method, params });
  return {
    async fund(wallet) {
      await callChain('anvil_dealERC20', [wallet, usdc, `0x${(1_000_000).toString(16)}`]);
    },
    async readBalance(wallet) {
      const data = `${BALANCE_OF}${wallet.slice(2).toLowerCase().padStart(64, '0')}`;
      return balanceSchema.parse(await callChain('eth_call', [{ to: usdc, data }, 'latest'])).result;
    },
    async settle({ payment, option }) {
      const body = { paymentPayload: payment, paymentRequirements: option };
      const verified = verifiedSchema.parse(await post(`${facilitatorUrl}/verify`, body));
      if (!verified.isValid) return verified.invalidReason ?? 'invalid';
      const settled = settledSchema.parse(await post(`${facilitatorUrl}/settle`, body));
      return settled.success ? null : (settled.errorReason ?? 'failed');
    },
    async stop() {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}
