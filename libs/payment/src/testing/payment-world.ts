import { createProviders, type Providers } from '@touchstone/chain';
import { openSharedSandbox } from '@touchstone/common/testing';
import { createKeys } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { connect, type Db } from '@touchstone/store';
import type { PaymentPayload } from '@x402/core/types';
import { authorizationTypes } from '@x402/evm';
import {
  createPublicClient,
  createTestClient,
  getAddress,
  http,
  parseAbi,
  walletActions,
  type Hex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base, baseSepolia } from 'viem/chains';
import { readAuthorization } from '../request/read-payment.ts';

/** Networks on which sellers receive payments, with the addresses of their USDC contracts. */
const NETWORKS = {
  'eip155:8453': { chain: base, usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  'eip155:84532': { chain: baseSepolia, usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
} as const;
export type TestNetwork = keyof typeof NETWORKS;

const ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'function balanceOf(address) view returns (uint256)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
]);
/** One US dollar in atomic units of USDC. */
const DOLLAR = 1_000_000n;

async function startDatabase() {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  return { url: database.url, key: keys.secret, close: () => database.close() };
}

/**
 * Creates a function that fetches from the chain and adds seconds to the times of its blocks. Several test files share
 * the chain, so they must not change its real time.
 */
const createShiftedFetch =
  (getSeconds: () => number): typeof fetch =>
  async (...request) => {
    const response = await fetch(...request);
    const seconds = getSeconds();
    if (seconds === 0) return response;
    const text = (await response.text()).replaceAll(
      /"timestamp":"(0x[0-9a-f]+)"/g,
      (_, time: string) => `"timestamp":"0x${(Number(time) + seconds).toString(16)}"`,
    );
    return new Response(text, { status: response.status });
  };

/** Connects to the real chain and the real facilitator that the tests share, and starts a database. */
export async function openPaymentWorld(network: TestNetwork = 'eip155:8453') {
  const { chain, usdc } = NETWORKS[network];
  const [sandbox, database] = await Promise.all([openSharedSandbox(), startDatabase()]);
  const chainUrl = sandbox.chainRpcUrls[network];
  const transport = http(chainUrl);
  const reader = createPublicClient({ chain, transport });
  const controller = createTestClient({ chain, mode: 'anvil', transport }).extend(walletActions);
  const db: Db = connect({ url: database.url, key: database.key });
  let shiftSeconds = 0;
  const providers: Providers = createProviders({
    network,
    urls: [chainUrl],
    fetch: createShiftedFetch(() => shiftSeconds),
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    now: Date.now,
  });

  const setBalance = (address: Hex, amount = DOLLAR) =>
    controller.request({
      // viem has no type for this method of anvil.
      method: 'anvil_dealERC20' as 'anvil_setBalance',
      params: [address, usdc, `0x${amount.toString(16)}`] as never,
    });

  return {
    network,
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
      reader.readContract({ address: usdc, abi: ABI, functionName: 'balanceOf', args: [address] }),
    /** Lists all USDC transfers to a wallet on the chain. */
    listTransfersTo: async (to: Hex) => {
      const logs = await reader.getContractEvents({
        address: usdc,
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
    cancelAuthorization: async (payer: ReturnType<typeof privateKeyToAccount>, nonce: Hex) => {
      const signature = await payer.signTypedData({
        domain: { name: 'USD Coin', version: '2', chainId: chain.id, verifyingContract: usdc },
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
        address: usdc,
        abi: ABI,
        functionName: 'cancelAuthorization',
        args: [payer.address, nonce, signature],
      });
      // A later time could exceed the time of the next block that the facilitator mines.
      const { timestamp } = await reader.getBlock();
      await controller.setNextBlockTimestamp({ timestamp });
      await controller.mine({ blocks: 1 });
      await reader.waitForTransactionReceipt({ hash: transaction });
    },
    /**
     * Signs the authorization of a payment again: with an end that is `secondsEarlier` seconds earlier, for another
     * wallet, or with another amount in atomic units. The nonce stays the same.
     */
    signAgain: async (
      payer: ReturnType<typeof privateKeyToAccount>,
      payload: PaymentPayload,
      {
        secondsEarlier = 0,
        ...changed
      }: { readonly secondsEarlier?: number; readonly payTo?: string; readonly amount?: bigint },
    ): Promise<PaymentPayload> => {
      const signed = readAuthorization(payload);
      if (signed === null) throw new Error('the payload has no EIP-3009 authorization');
      const { nonce, payTo, amount: value, validAfter } = { ...signed, ...changed };
      const validBefore = signed.validBefore - BigInt(secondsEarlier);
      const message = {
        from: payer.address,
        to: getAddress(payTo),
        value,
        validAfter,
        validBefore,
        nonce,
      };
      const signature = await payer.signTypedData({
        domain: { name: 'USD Coin', version: '2', chainId: chain.id, verifyingContract: usdc },
        types: authorizationTypes,
        primaryType: 'TransferWithAuthorization',
        message,
      });
      const texts = {
        value: String(value),
        validAfter: String(validAfter),
        validBefore: String(validBefore),
      };
      const authorization = { ...message, ...texts };
      return { ...payload, payload: { authorization, signature } };
    },
    setCode: (address: Hex) => controller.setCode({ address, bytecode: '0x00' }),
    /** Adds a number of seconds to the times of the blocks that `providers` read. */
    advanceTime: (seconds: number) => {
      shiftSeconds += seconds;
    },
    /** Undoes `advanceTime`. */
    restoreTime: () => {
      shiftSeconds = 0;
    },
    close: () => database.close(),
  };
}

export type PaymentWorld = Awaited<ReturnType<typeof openPaymentWorld>>;
