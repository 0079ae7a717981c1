import type { Providers } from '@touchstone/chain';
import type { DescribedOperation, Problem } from '@touchstone/contract';
import type { Db, PaymentKey } from '@touchstone/store';
import type { FacilitatorClient } from '@x402/core/server';
import type { ZodType } from 'zod';
import type { PurchaseQueue } from './queue/purchase-queue.ts';

/**
 * The buyer of a result: `payer` is the address that signed the payment. Together, `payer`, `network`, `asset` and
 * `nonce` are the key of the payment, so work can connect its side effects to the settlement of this payment. Addresses
 * and the nonce are in lower case.
 */
export interface Buyer extends PaymentKey {
  /**
   * Id of the request that holds the lease of the payment. After the lease, another request may do the work again. Work
   * can compare this id with the owner in the row of the payment, to refuse side effects of the earlier request.
   */
  readonly owner: string;
}

/** Encryption of stored results. The key must not be in the database. */
export interface ResultCipher {
  readonly encrypt: (text: string) => Promise<string>;
  /** Rejects if the text was not encrypted with a key of this cipher. */
  readonly decrypt: (text: string) => Promise<string>;
}

/**
 * Result of `PaidOperation.work`, or the problem that prevented the result. The seller adds `notCharged` to the
 * problem. `retryAfterSeconds` is the value of the `Retry-After` header; absent for a response without this header.
 */
export type WorkResult =
  | { readonly body: unknown }
  | { readonly problem: Omit<Problem, 'notCharged'>; readonly retryAfterSeconds?: number };

export interface WorkContext {
  /** Client in the queues. One client can have many payers. */
  readonly client: string;
}

/** Operation that is paid per call, with the schema of its input and the work that produces its result. */
export interface PaidOperation<Input> {
  readonly operation: DescribedOperation;
  /**
   * Schema that parses a request in the form `{ body, query, params }`. `body` is the JSON body, or an empty object for
   * an operation without a body. `query` has the query parameters as strings, and a list for a repeated parameter.
   * `params` has the values of the variable parts of the path, such as `id` of `/v1/watch/{id}`.
   */
  readonly input: ZodType<Input>;
  /** Returns the URL or text that the request is about, for the column `resource` of the payments table. */
  readonly toResource: (input: Input) => string;
  /**
   * Produces the result that one payment buys, after the payment is verified and claimed. If the work returns a
   * problem, the payment stays unused. The work must be repeatable, because the work starts again if the process dies.
   * The payment may still be refused after the work, so side effects must expire unless the payment is settled.
   */
  readonly work: (input: Input, buyer: Buyer, context: WorkContext) => Promise<WorkResult>;
  /**
   * Reads the result after the settlement was recorded, for an operation whose result depends on the settlement. Absent
   * for an operation whose result is the body that `work` returns. If it rejects, the response is the problem
   * `internal`, and the client gets the result when it sends the payment again.
   */
  readonly readSettled?: (payment: PaymentKey) => Promise<unknown>;
  /**
   * True if the work only reads the database and waits for no endpoint. Such work holds the slot of its purchase. If
   * the last payment of the payer was settled, the work starts while the payment is verified and claimed, and its
   * result is dropped if the payment is refused.
   */
  readonly onlyReads?: boolean;
  /**
   * Encryption of the stored result, for a result that contains a secret. Absent for a result that is stored without
   * encryption. Null if the encryption keys are missing: then results can neither be stored nor sent again. A request
   * whose result cannot be decrypted gets the problem `internal`, and is not settled.
   */
  readonly cipher?: ResultCipher | null;
  /**
   * Time after a settlement, in seconds; default 600. Within this time, a request with the payment but without the
   * secret of its challenge still gets the result. After this time, the secret is required, because anyone can read the
   * payment from the chain.
   */
  readonly publicReplaySeconds?: number;
  /**
   * True if the settlement may be recorded after the response. If the process dies between the response and the record,
   * reconciliation records the settlement minutes later. Absent for an operation whose settlement activates something,
   * such as a watch.
   */
  readonly isRecordedLater?: boolean;
}

/** Seller of operations that are paid with x402. */
export interface Seller {
  /**
   * Responds to a request for a paid operation with a challenge, a problem, or the result after its payment was
   * settled. Never rejects.
   * @param options `client` is the id of the client, such as its IP address. Only the client that bought a result with a
   * secret gets it again without the secret of its payment. By default, all requests are from one client.
   */
  readonly respond: <Input>(
    request: Request,
    paidOperation: PaidOperation<Input>,
    options?: { readonly client?: string },
  ) => Promise<Response>;
}

/**
 * Maximum durations of a lease in seconds. While a lease runs, no other request can process the same payment. The lease
 * of a process that was killed ends after at most ten seconds.
 */
interface Leases {
  /** Maximum while the work runs; default 30. */
  readonly workSeconds: number;
  /**
   * Maximum while the payment is settled; default 45. This time must exceed the settlement timeout of the facilitator.
   */
  readonly settleSeconds: number;
}

export interface SellerOptions {
  /** Database client with the secret key. */
  readonly db: Db;
  /** Client of the facilitator, created by `createFacilitator`. */
  readonly facilitator: FacilitatorClient;
  /** CAIP-2 id of an EVM network whose USDC supports EIP-3009 authorizations. */
  readonly network: string;
  /** Address that receives the payments. */
  readonly payTo: string;
  /** Public origin of the service. The `Host` header of a request is never used. */
  readonly baseUrl: string;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** RPC providers of the network, which read the outcome of settlements and the balances of payers. */
  readonly chain: Providers;
  /** `maxTimeoutSeconds` of the challenge, in seconds; default `PAYMENT_VALIDITY_SECONDS`. */
  readonly maxTimeoutSeconds?: number;
  readonly leases?: Leases;
  /** Queue of the purchases. By default, the number of concurrent purchases is not limited. */
  readonly queue?: PurchaseQueue;
  /**
   * Returns the client in the queues for the id of a client, such as the network of its IP address. Clients get slots in
   * rotation. By default, each client is a client in the queues.
   */
  readonly toQueueClient?: (client: string) => string;
  /**
   * Runs a task after the response was sent, even if the platform stops the process between requests. Without this
   * function, every settlement is recorded before the response.
   */
  readonly runAfterResponse?: (task: () => Promise<void>) => void;
  /** Pauses between two readings of the chain; by default with a timer. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Called for each failure of this service, its facilitator and its RPC providers. */
  readonly onError?: (message: string, error: unknown) => void;
}
