import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProviders, type Providers } from '@touchstone/chain';
import { createKeys } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect, type Db } from '@touchstone/store';
import { createPublicClient, createTestClient, http, parseAbi, walletActions, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { z } from 'zod';

/**
 * Entry file of the sandbox: a process with a chain that has the chain id of Base, chains of other networks, and a
 * facilitator that settles on these chains.
 */
const SANDBOX = fileURLToPath(new URL('../../../../apps/sandbox/src/main.ts', import.meta.url));
const NETWORK = 'eip155:8453';
const readySchema = z.object({
  chainRpcUrls: z.object({ [NETWORK]: z.string() }),
  facilitatorUrl: z.string(),
});
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'function balanceOf(address) view returns (uint256)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
]);
/** One US dollar in atomic units of USDC. */
const DOLLAR = 1_000_000n;

const startSandbox = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-payment-'));
  const child = fork(SANDBOX, {
    env: { ...process.env, SANDBOX_DATA_DIR: folder, SANDBOX_HISTORY_DAYS: '0' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const messages: unknown[] = await once(child, 'message');
  const stop = async () => {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...readySchema.parse(messages[0]), stop };
};

const startDatabase = async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  return { url: database.url, key: keys.secret, close: () => database.close() };
};

/** Starts a real chain, a real facilitator and a real database. */
export const openPaymentWorld = async () => {
  const [sandbox, database] = await Promise.all([startSandbox(), startDatabase()]);
  const chainUrl = sandbox.chainRpcUrls[NETWORK];
  const transport = http(chainUrl);
  const reader = createPublicClient({ chain: base, transport });
  const controller = createTestClient({ chain: base, mode: 'anvil', transport }).extend(walletActions);
  const db: Db = connect({ url: database.url, key: database.key });
  const providers: Providers = createProviders({
    network: NETWORK,
    urls: [chainUrl],
    fetch,
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    now: Date.now,
  });

  const setBalance = (address: Hex, amount = DOLLAR) =>
    controller.request({
      // viem has no type for this method of anvil.
      method: 'anvil_dealERC20' as 'anvil_setBalance',
      params: [address, USDC, `0x${amount.toString(16)}`] as never,
    });

  return {
    network: NETWORK,
    database,
    db,
    facilitatorUrl: sandbox.facilitatorUrl,
    chainUrl,
    providers,
    /** Creates a wallet with USDC. */
    createWallet: async (amount = DOLLAR) => {
      const account = privateKeyToAccount(generatePrivateKey());
      if (amount > 0n) await setBalance(account.address, amount);
      return account;
    },
    readBalance: (address: Hex) =>
      reader.readContract({ address: USDC, abi: ABI, functionName: 'balanceOf', args: [address] }),
    /** Lists all USDC transfers to a wallet on the chain. */
    listTransfersTo: async (to: Hex) => {
      const logs = await reader.getContractEvents({
        address: USDC,
        abi: ABI,
        eventName: 'Transfer',
        args: { to },
        fromBlock: 0n,
        strict: true,
      });
      return logs.map(({ args, transactionHash }) => ({
        payer: args.from.toLowerCase(),
        amount: args.value,
        transaction: transactionHash,
      }));
    },
    /** Cancels an authorization with the signature of its payer. */
    cancelAuthorization: async (payer: ReturnType<typeof privateKeyToAccount>, nonce: Hex) => {
      const signature = await payer.signTypedData({
        domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
        types: {
          CancelAuthorization: [
            { name: 'authorizer', type: 'address' },
            { name: 'nonce', type: 'bytes32' },
          ],
        },
        primaryType: 'CancelAuthorization',
        message: { authorizer: payer.address, nonce },
      });
      await controller.setBalance({ address: payer.address, value: 10n ** 18n });
      const transaction = await controller.writeContract({
        account: payer,
        address: USDC,
        abi: ABI,
        functionName: 'cancelAuthorization',
        args: [payer.address, nonce, signature],
      });
      await controller.mine({ blocks: 1 });
      await reader.waitForTransactionReceipt({ hash: transaction });
    },
    /** Gives an address code that returns nothing, as if it were a contract. */
    setCode: (address: Hex) => controller.setCode({ address, bytecode: '0x00' }),
    /** Advances the time of the chain by a number of seconds and mines a block. */
    advanceTime: async (seconds: number) => {
      await controller.increaseTime({ seconds });
      await controller.mine({ blocks: 1 });
    },
    close: async () => {
      await Promise.all([sandbox.stop(), database.close()]);
    },
  };
};

export type PaymentWorld = Awaited<ReturnType<typeof openPaymentWorld>>;
