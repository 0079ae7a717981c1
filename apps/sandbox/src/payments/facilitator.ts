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

/** A contract call as the x402 scheme passes it. Its ABI is untyped. */
interface ContractCall {
  readonly address: `0x${string}`;
  readonly abi: readonly unknown[];
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

type TypedMessage = Parameters<FacilitatorEvmSigner['verifyTypedData']>[0];

/** Casts a typed-data message. viem derives its type from constants, which the scheme passes at run time only. */
const toTypedData = (message: TypedMessage) => message as VerifyTypedDataActionParameters;

/** Casts the ABI of a call. The scheme passes valid constant ABIs, but its types do not declare that. */
const toContractCall = ({ address, abi, functionName, args = [] }: ContractCall) => ({
  address,
  abi: abi as Abi,
  functionName,
  args: [...args],
});

/** Network name of x402 v1. The registry accepts it, although its type allows v2 identifiers only. */
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
  // A transaction is mined when it is sent, so one at a time always knows its nonce. viem's nonce manager counts ahead of the
  // chain and loses count when a transaction is rejected.
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
