import { x402Client, x402HTTPClient } from '@x402/core/client';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import type { Address, Hex, PrivateKeyAccount } from 'viem';
import { z } from 'zod';
import type { ChainNetwork } from '../chain/network.ts';
import { hexSchema } from '../parsing.ts';
import type { PendingPayment } from './ledger.ts';

/** Wallet that pays with the reference x402 client. */
export interface Buyer {
  readonly address: Address;
  readonly http: x402HTTPClient;
  readonly signTypedData: Signer['signTypedData'];
  /**
   * Signs a payment for a challenge. Throws when the client refuses to pay, for example because the amount is too high.
   */
  readonly sign: (required: PaymentRequired) => Promise<PaymentPayload>;
}

/** Signer of an address: a private key or a smart wallet. */
type Signer = Pick<PrivateKeyAccount, 'address'> & {
  readonly signTypedData: (message: never) => Promise<Hex>;
};

/** Creates the signer of a smart wallet that accepts any signature; see contracts/SandboxSmartWallet.sol. */
export function createSmartWalletSigner(address: Address): Signer {
  return { address, signTypedData: () => Promise.resolve('0x01') };
}

/** Maximum amount of a single payment, in US dollars. */
const MAX_PAYMENT = '$50';

export function createBuyer(signer: Signer, network: ChainNetwork): Buyer {
  const client = new x402Client()
    .register(network.id, new ExactEvmScheme(signer))
    .registerV1(network.v1Name, new ExactEvmSchemeV1(signer))
    .setSpendControls({ maxAmountPerPayment: MAX_PAYMENT });
  const http = new x402HTTPClient(client);
  return {
    ...{ address: signer.address, http },
    signTypedData: (message) => signer.signTypedData(message),
    sign: (required) => http.createPaymentPayload(required),
  };
}

const exactSchema = z.object({
  payload: z.object({
    signature: hexSchema,
    authorization: z.object({
      from: hexSchema,
      to: hexSchema,
      value: z.string(),
      validAfter: z.string(),
      validBefore: z.string(),
      nonce: hexSchema,
    }),
  }),
});

/** Parses the EIP-3009 authorization and signature of a payment (exact scheme on EVM networks). */
export function parseAuthorization(payment: PaymentPayload) {
  return exactSchema.parse(payment).payload;
}

export function toPendingPayment(
  payment: PaymentPayload,
  { network, endpoint, wash }: Pick<PendingPayment, 'network' | 'endpoint' | 'wash'>,
): PendingPayment {
  const { from, to, value, nonce } = parseAuthorization(payment).authorization;
  return { network, endpoint, payer: from, payTo: to, amount: value, wash, nonce };
}
