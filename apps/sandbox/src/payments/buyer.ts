import { x402Client, x402HTTPClient } from '@x402/core/client';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import type { Address, Hex, PrivateKeyAccount } from 'viem';
import { z } from 'zod';
import { NETWORK, NETWORK_V1 } from '../chain/network.ts';
import type { PromisedPayment } from './ledger.ts';

/** An agent with a wallet and the stock client. */
export interface Buyer {
  readonly address: Address;
  readonly http: x402HTTPClient;
  /** The payment it signs for terms, which throws when it would not pay them. */
  readonly sign: (required: PaymentRequired) => Promise<PaymentPayload>;
}

/** Whoever answers for an address when it is to sign. */
type Signer = Pick<PrivateKeyAccount, 'address'> & {
  readonly signTypedData: (message: never) => Promise<Hex>;
};

/** The owner of a smart wallet that is content with any signature; see contracts/SandboxSmartWallet.sol. */
export const smartWalletSigner = (address: Address): Signer => ({
  address,
  signTypedData: () => Promise.resolve('0x01'),
});

/** Agents pay up to this without asking anybody. */
const MOST = '$50';

/** Pays with the sandbox's dollar on the sandbox's chain only. */
export const createBuyer = (signer: Signer): Buyer => {
  const client = new x402Client()
    .register(NETWORK, new ExactEvmScheme(signer))
    .registerV1(NETWORK_V1, new ExactEvmSchemeV1(signer))
    .setSpendControls({ maxAmountPerPayment: MOST });
  const http = new x402HTTPClient(client);
  return { address: signer.address, http, sign: (required) => http.createPaymentPayload(required) };
};

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]+$/)]);
const exactSchema = z.object({
  payload: z.object({
    signature: hex,
    authorization: z.object({
      from: hex,
      to: hex,
      value: z.string(),
      validAfter: z.string(),
      validBefore: z.string(),
      nonce: hex,
    }),
  }),
});

/** What a payment of the exact scheme on an EVM network authorizes (EIP-3009). */
export const authorizationOf = (payment: PaymentPayload) => exactSchema.parse(payment).payload;

/** A signed payment as the ledger knows it. */
export const promisedBy = (
  payment: PaymentPayload,
  { endpoint, wash }: Pick<PromisedPayment, 'endpoint' | 'wash'>,
): PromisedPayment => {
  const { from, to, value, nonce } = authorizationOf(payment).authorization;
  return { endpoint, payer: from, payTo: to, amount: value, wash, nonce };
};
