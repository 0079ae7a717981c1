import type { Providers } from '@touchstone/chain';
import type { Operation, Problem } from '@touchstone/contract';
import type { Db } from '@touchstone/store';
import type { FacilitatorClient } from '@x402/core/server';
import type { ZodType } from 'zod';

/** What a seller reads of an operation of the contract. */
export type SoldOperation = Pick<
  Operation,
  'method' | 'path' | 'priceUsd' | 'description' | 'tags' | 'requestBody' | 'response' | 'outputExample'
>;

/** Who buys. */
export interface Purchase {
  /** Address that signed the payment, in lower case. */
  readonly payer: string;
}

/** What work comes to. */
export type WorkResult =
  | {
      readonly body: unknown;
      /**
       * Takes back what the work set going. It is called where the payment is refused when it is settled, or its result
       * could not be kept; not where the process died in between, so what was set going must also end by itself.
       */
      readonly undo?: () => Promise<void>;
    }
  | { readonly problem: Problem };

/** What is sold for one payment: how its request is read, and the work that is done for it. */
export interface Sale<Input> {
  readonly operation: SoldOperation;
  /** Parses the JSON body; where the operation takes none it is given an empty object. */
  readonly input: ZodType<Input>;
  /** What is bought, for the ledger. */
  readonly resourceOf: (input: Input) => string;
  /**
   * Does the work, once for each payment. A problem delivers nothing and leaves the payment unused. It is begun again
   * where the process died in the middle of it, so it must bear that.
   */
  readonly work: (input: Input, purchase: Purchase) => Promise<WorkResult>;
}

/** Sells operations for payments of x402 version 2. */
export interface Seller {
  /**
   * Answers a request to a paid operation, in every case: with the challenge where it is not paid, with a problem, or
   * with the result once it is settled. Never throws.
   */
  readonly sell: <Input>(request: Request, sale: Sale<Input>) => Promise<Response>;
}

/** How long a request holds a payment, in seconds, before another may serve it. */
export interface Leases {
  /** While the work is done: 30. */
  readonly workSeconds: number;
  /** While it is settled: 45, which is longer than a facilitator is waited for. */
  readonly settleSeconds: number;
}

export interface SellerOptions {
  /** Opened with the secret key. */
  readonly db: Db;
  /** See `createFacilitator`. */
  readonly facilitator: FacilitatorClient;
  /** CAIP-2 id of an EVM network whose USDC takes EIP-3009 authorizations. */
  readonly network: string;
  /** Address that is paid. */
  readonly payTo: string;
  /** Public origin of the service; whatever a request says of its host is not believed. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Providers of the network, which say what became of a settlement, and what a payer has. */
  readonly chain: Providers;
  /** Name in directories, at most 32 printable ASCII characters. */
  readonly serviceName?: string;
  /** How long a signed payment is asked to be good, in seconds: 300. */
  readonly maxTimeoutSeconds?: number;
  /** How long it must be good still when it is presented, in seconds: 60, which the work and the settlement may take. */
  readonly minValiditySeconds?: number;
  readonly leases?: Leases;
  /** Hears of what goes wrong on this side. */
  readonly onTrouble?: (message: string, error: unknown) => void;
}
