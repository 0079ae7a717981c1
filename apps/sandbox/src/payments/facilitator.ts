import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import type { FacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import type { Network } from '@x402/core/types';
import { createWalletClient, publicActions } from 'viem';
import type { Abi, CustomTransport, PrivateKeyAccount, VerifyTypedDataActionParameters } from 'viem';
import { base } from 'viem/chains';
import { NETWORK, NETWORK_V1 } from '../chain/network.ts';
import { createTaskQueue } from '../chain/task-queue.ts';

/** Contract call in the format of the x402 library, which leaves the ABI untyped. */
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
const toTypedData = (message: TypedMessage) => message as VerifyTypedDataActionParameters;

/** Converts a contract call to the type of viem. The cast is safe, because the x402 library passes only valid ABIs. */
const toContractCall = ({ address, abi, functionName, args = [] }: ContractCall) => ({
  address,
  abi: abi as Abi,
  functionName,
  args: [...args],
});

/**
 * Network name of x402 v1. The cast is necessary because the type of `registerV1` allows only v2 identifiers, although
 * the method accepts v1 names.
 */
const V1_NETWORK = NETWORK_V1 as string as Network;
const POLL_MS = 20;

/**
 * Creates the facilitator of the sandbox's chain. It verifies and settles payments of the exact scheme, v1 and v2.
 * @param gasPayer account that sends the transactions and pays for gas
 */
export const createFacilitator = (
  transport: CustomTransport,
  gasPayer: PrivateKeyAccount,
): x402Facilitator => {
  const options = { chain: base, transport, account: gasPayer, pollingInterval: POLL_MS };
  const client = createWalletClient(options).extend(publicActions);
  // Transactions are sent one at a time. Each is mined when it is sent, so the next nonce can be read from the chain.
  // The nonce manager of viem is not used, because its count is wrong after a rejected transaction.
  const enqueue = createTaskQueue();
  const signer = toFacilitatorEvmSigner({
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
  return new x402Facilitator()
    .register(NETWORK, new ExactEvmScheme(signer))
    .registerV1(V1_NETWORK, new ExactEvmSchemeV1(signer));
};
