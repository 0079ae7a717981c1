import type { Providers } from '@touchstone/chain';
import type { Operation, Problem } from '@touchstone/contract';
import type { Db } from '@touchstone/store';
import type { FacilitatorClient } from '@x402/core/server';
import type { ZodType } from 'zod';

/** The members of an operation of the contract that a seller reads. */
export type ContractOperation = Pick<
  Operation,
  'method' | 'path' | 'priceUsd' | 'description' | 'tags' | 'requestBody' | 'response' | 'outputExample'
>;

/** The buyer of a result. */
export interface Buyer {
  /** Address that signed the payment, in lower case. */
  readonly payer: string;
}

/** The result of the work, or the problem that prevented it. The seller adds to a problem that nothing was charged. */
export type WorkResult = { readonly body: unknown } | { readonly problem: Omit<Problem, 'notCharged'> };

/** An operation that is paid per call: how its request is read, and the work that fulfils it. */
export interface PaidOperation<Input> {
  readonly operation: ContractOperation;
  /** Parses the JSON body. An operation without a body gets an empty object. */
  readonly input: ZodType<Input>;
  /** Returns the URL or text that the payments table lists as the subject of the request. */
  readonly toResource: (input: Input) => string;
  /**
   * Produces the result, once for each payment. A problem delivers nothing and leaves the payment unused. The work
   * starts again when the process died in the middle of it, so it must be repeatable. The payment may still be refused
   * afterwards, so side effects must expire unless the payment is settled.
   */
  readonly work: (input: Input, buyer: Buyer) => Promise<WorkResult>;
}

/** Sells operations for payments of x402 version 2. */
export interface Seller {
  /**
   * Responds to a request to a paid operation: with the challenge, with a problem, or with the result after its payment
   * was settled. Never throws.
   */
  readonly respond: <Input>(request: Request, paidOperation: PaidOperation<Input>) => Promise<Response>;
}

/** Lease durations in seconds. While a lease runs, no other request can process the same payment. */
export interface Leases {
  /** Lease while the work runs; default 30. */
  readonly workSeconds: number;
  /** Lease while the payment is settled; default 45. It must exceed the settlement timeout of the facilitator. */
  readonly settleSeconds: number;
}

export interface SellerOptions {
  /** Database client with the secret key. */
  readonly db: Db;
  /** See `createFacilitator`. */
  readonly facilitator: FacilitatorClient;
  /** CAIP-2 id of an EVM network whose USDC supports EIP-3009 authorizations. */
  readonly network: string;
  /** Address that receives the payments. */
  readonly payTo: string;
  /** Public origin of the service. The `Host` header of a request is never used. */
  readonly baseUrl: string;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** RPC providers of the network, for the outcome of settlements and the balances of payers. */
  readonly chain: Providers;
  /** Name in directories, at most 32 printable ASCII characters. */
  readonly serviceName?: string;
  /** `maxTimeoutSeconds` of the challenge: validity that a payer signs for, in seconds; default 300. */
  readonly maxTimeoutSeconds?: number;
  /** Minimum remaining validity of a payment, in seconds; default 60, which work and settlement may take. */
  readonly minValiditySeconds?: number;
  readonly leases?: Leases;
  /** Receives failures of this service, its facilitator and its providers. */
  readonly onError?: (message: string, error: unknown) => void;
}
