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

/** A call as the scheme words it: its ABI is a list of anything. */
interface ContractCall {
  readonly address: `0x${string}`;
  readonly abi: readonly unknown[];
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

type TypedMessage = Parameters<FacilitatorEvmSigner['verifyTypedData']>[0];

/** viem derives the message's type from types that are only known when the scheme runs. */
const typed = (message: TypedMessage) => message as VerifyTypedDataActionParameters;

/** The ABIs are the scheme's own constants; its types merely do not say so. */
const worded = ({ address, abi, functionName, args = [] }: ContractCall) => ({
  address,
  abi: abi as Abi,
  functionName,
  args: [...args],
});

/** Version 1 names networks by words, which the registry takes although its type knows version 2 only. */
const V1_NETWORK = NETWORK_V1 as string as Network;
const POLL_MS = 20;

/**
 * Runs tasks one after the other, whether or not those before succeeded. A transaction is mined when it is sent, so the
 * next one's number is known then; a manager of numbers that runs ahead of the chain loses count when one is refused.
 */
const createQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const done = last.then(task, task);
    last = done;
    return done;
  };
};

/**
 * The facilitator of the sandbox's chain: verifies and settles payments of the exact scheme in both versions.
 * @param payer pays for gas
 */
export const createFacilitator = (transport: CustomTransport, payer: PrivateKeyAccount): x402Facilitator => {
  const options = { chain: base, transport, account: payer, pollingInterval: POLL_MS };
  const client = createWalletClient(options).extend(publicActions);
  const inTurn = createQueue();
  const signer = toFacilitatorEvmSigner({
    address: payer.address,
    readContract: (call) => client.readContract(worded(call)),
    writeContract: ({ gas, dataSuffix, ...call }) =>
      inTurn(() =>
        client.writeContract({
          ...worded(call),
          ...(gas === undefined ? {} : { gas }),
          ...(dataSuffix === undefined ? {} : { dataSuffix }),
        }),
      ),
    verifyTypedData: (message) => client.verifyTypedData(typed(message)),
    sendTransaction: (call) => client.sendTransaction(call),
    waitForTransactionReceipt: (wait) => client.waitForTransactionReceipt(wait),
    getCode: (call) => client.getCode(call),
  });
  return new x402Facilitator()
    .register(NETWORK, new ExactEvmScheme(signer))
    .registerV1(V1_NETWORK, new ExactEvmSchemeV1(signer));
};
