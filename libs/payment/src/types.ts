import type { Providers } from '@touchstone/chain';
import type { Problem } from '@touchstone/contract';
import type { Db } from '@touchstone/store';
import type { FacilitatorClient } from '@x402/core/server';
import type { ZodType } from 'zod';

/** What a seller reads of an operation of the contract. */
export interface SoldOperation {
  readonly method: string;
  /** Path with `{name}` where it has parameters. */
  readonly path: string;
  /** Dollars with six decimals; an operation without a price cannot be sold. */
  readonly priceUsd: string | null;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly requestBody: { readonly schema: ZodType; readonly example: unknown } | null;
  readonly response: { readonly schema: ZodType; readonly example: unknown };
}

/** Who buys. */
export interface Purchase {
  /** Address that signed the payment, in lower case. */
  readonly payer: string;
}

/** What is sold for one payment: how its request is read, and the work that is done for it. */
export interface Sale<Input> {
  readonly operation: SoldOperation;
  /** Parses the JSON body; where the operation takes none it is given an empty object. */
  readonly input: ZodType<Input>;
  /** What was bought, for the ledger. */
  readonly resourceOf: (input: Input) => string;
  /**
   * Does the work, once for each payment. A problem delivers nothing, and leaves the payment unused. It may be begun
   * again where the process died in the middle of it.
   */
  readonly work: (
    input: Input,
    purchase: Purchase,
  ) => Promise<{ readonly body: unknown } | { readonly problem: Problem }>;
}

/** Sells operations for payments of x402 version 2. */
export interface Seller {
  /**
   * Answers a request to a paid operation, in every case: with the challenge where it is not paid, with a problem, or
   * with the result once it is settled. Never throws.
   */
  readonly sell: <Input>(request: Request, sale: Sale<Input>) => Promise<Response>;
}

export interface SellerOptions {
  /** Opened with the secret key. */
  readonly db: Db;
  /** See `createFacilitator`. */
  readonly facilitator: FacilitatorClient;
  /** CAIP-2 id of an EVM network whose canonical USDC is known. */
  readonly network: string;
  /** Address that is paid. */
  readonly payTo: string;
  /** Public origin of the service; whatever a request says of its host is not believed. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Providers of the network, by which a settlement is found whose answer was lost. */
  readonly chain?: Providers;
  /** Name in directories, at most 32 printable ASCII characters. */
  readonly serviceName?: string;
  /** How long a signed payment is good for, seconds: 300. */
  readonly maxTimeoutSeconds?: number;
  /** How long a request holds a payment while it works, and while it settles, seconds: 30 and 45. */
  readonly leases?: { readonly workSeconds: number; readonly settleSeconds: number };
  /** Hears of what goes wrong on this side. */
  readonly onTrouble?: (message: string, error: unknown) => void;
}
