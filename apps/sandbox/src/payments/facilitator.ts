import { x402Facilitator } from '@x402/core/facilitator';
import {
  PaymentPayloadV1Schema,
  PaymentPayloadV2Schema,
  PaymentRequirementsV1Schema,
  PaymentRequirementsV2Schema,
} from '@x402/core/schemas';
import type { PaymentPayload, PaymentRequirements, Network } from '@x402/core/types';
import { toFacilitatorEvmSigner, type FacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import {
  createWalletClient,
  publicActions,
  type Abi,
  type PrivateKeyAccount,
  type VerifyTypedDataActionParameters,
} from 'viem';
import { createChainTransport } from '../chain/chain-access.ts';
import { createTaskQueue, type SandboxChain } from '../chain/open-chain.ts';

/** A payment and its payment requirements, both of the same x402 version. */
export interface Payment {
  readonly payload: PaymentPayload;
  readonly requirements: PaymentRequirements;
}

/**
 * Validates a payment and its payment requirements with the schemas of x402 v2 and v1. Returns null when neither
 * version matches.
 */
export function parsePayment(payload: unknown, requirements: unknown): Payment | null {
  const isValid = [
    PaymentPayloadV2Schema.safeParse(payload).success &&
      PaymentRequirementsV2Schema.safeParse(requirements).success,
    PaymentPayloadV1Schema.safeParse(payload).success &&
      PaymentRequirementsV1Schema.safeParse(requirements).success,
  ];
  if (!isValid.includes(true)) return null;
  // Both values were validated above. The casts are necessary because the facilitator declares only v2 types, although
  // it also accepts v1 payments.
  return { payload: payload as PaymentPayload, requirements: requirements as PaymentRequirements };
}

/** Contract call in the format of the x402 library. The library declares no type for the ABI. */
interface ContractCall {
  readonly address: `0x${string}`;
  readonly abi: readonly unknown[];
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

type TypedMessage = Parameters<FacilitatorEvmSigner['verifyTypedData']>[0];

/**
 * Casts an EIP-712 message to the type of viem. viem infers this type from constants, but the x402 library passes the
 * message at run time.
 */
function toTypedData(message: TypedMessage) {
  return message as VerifyTypedDataActionParameters;
}

/** Converts a contract call to the type of viem. The cast is safe, because the x402 library passes only valid ABIs. */
function toContractCall({ address, abi, functionName, args = [] }: ContractCall) {
  return { address, abi: abi as Abi, functionName, args: [...args] };
}

const POLL_MS = 20;

interface FacilitatorOptions {
  readonly chains: readonly SandboxChain[];
  /** Account that sends the transactions and pays for gas, on every chain. */
  readonly gasPayer: PrivateKeyAccount;
  /** Returns the time of the next block, in milliseconds since 1970. */
  readonly now: () => number;
}

function createSigner(
  chain: SandboxChain,
  { gasPayer, now }: Pick<FacilitatorOptions, 'gasPayer' | 'now'>,
): FacilitatorEvmSigner {
  const client = createWalletClient({
    chain: chain.network.viemChain,
    transport: createChainTransport(chain, now),
    account: gasPayer,
    pollingInterval: POLL_MS,
  }).extend(publicActions);
  // Transactions are sent one at a time. Each transaction is mined when it is sent, so the next nonce can be read from
  // the chain. The nonce manager of viem would count wrongly after a rejected transaction.
  const enqueue = createTaskQueue();
  return toFacilitatorEvmSigner({
    address: gasPayer.address,
    readContract: (call) => client.readContract(toContractCall(call)),
    writeContract: ({ gas, dataSuffix, ...call }) =>
      enqueue(() =>
        client.writeContract({
          ...toContractCall(call),
          ...(gas === undefined ? {} : { gas }),
          ...(dataSuffix === undefined ? {} : { dataSuffix }),
        }),
      ),
    verifyTypedData: (message) => client.verifyTypedData(toTypedData(message)),
    sendTransaction: (call) => client.sendTransaction(call),
    waitForTransactionReceipt: (wait) => client.waitForTransactionReceipt(wait),
    getCode: (call) => client.getCode(call),
  });
}

export function createFacilitator({ chains, ...options }: FacilitatorOptions): x402Facilitator {
  const facilitator = new x402Facilitator();
  for (const chain of chains) {
    const signer = createSigner(chain, options);
    facilitator.register(chain.network.id, new ExactEvmScheme(signer));
    // The cast is necessary because the type of `registerV1` allows only v2 identifiers, although the method accepts
    // v1 names.
    facilitator.registerV1(chain.network.v1Name as Network, new ExactEvmSchemeV1(signer));
  }
  return facilitator;
}
