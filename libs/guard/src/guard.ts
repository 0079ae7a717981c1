import { decide } from './decision/decide.ts';
import { decideWithLookup } from './decision/decide-with-lookup.ts';
import type { Decision } from './decision/decision.ts';
import { type GuardOptions, readOptions, type Settings } from './guard-options.ts';
import { readSpending, type Spending } from './ledger/spending.ts';
import { addOffer } from './offers/judge-offer.ts';
import { createOutcome, type PaymentOutcome } from './outcome/outcome.ts';
import { OutcomeReporter, type OutcomeSigner } from './outcome/outcome-reporter.ts';
import {
  attachHooks,
  type ClientHooks,
  createHook,
  type HookRequest,
  type HookResult,
  type PaymentContext,
} from './payment/attach-hooks.ts';
import {
  type Authorization,
  type AuthorizeRequest,
  createManualGate,
  type RecordedResponse,
} from './payment/manual-gate.ts';
import { PaymentBook } from './payment/payment-book.ts';
import { type GateOptions, PaymentGate } from './payment/payment-gate.ts';
import { type AxiosLike, createAxiosWrapper, createFetchWrapper } from './payment/wrap-clients.ts';
import { createMcpWrapper, type McpClientLike } from './payment/wrap-mcp.ts';
import type { ProposedPayment } from './payment-terms.ts';

export interface Guard {
  /**
   * Decides on the terms of one payment, before it is signed. Earlier payments are not regarded. Rejects only with an error
   * of `onDecision`.
   */
  readonly check: (payment: ProposedPayment) => Promise<Decision>;
  /**
   * Hook for `onBeforePaymentCreation` of an x402 client. The hook checks the URL that the seller claims in the
   * challenge, so the hook refuses a URL that Touchstone does not know. The hook records no payments, so no limit on
   * earlier payments holds: use `attachTo` or a wrapper where you can.
   */
  readonly beforePayment: (context: PaymentContext) => Promise<HookResult>;
  /**
   * Adds hooks to an x402 client, and returns the client: the checks of the terms before a payment is signed, and the
   * limits on earlier payments after it is signed. The hooks cannot send an earlier payment again, so they refuse a second
   * payment of a request whose earlier payment is open. For HTTP, use a wrapper where you can.
   *
   * @param request request that the program really makes; without it, the guard checks the URL that the seller claims
   */
  readonly attachTo: <T extends ClientHooks>(client: T, request?: HookRequest) => T;
  /**
   * Wraps a `fetch` function. The wrapped function rejects with `PaymentRefusedError` if the policy refuses all offers
   * of a 402 response. The function also rejects before a refused payment is sent. Payments to the service itself are
   * not checked.
   */
  readonly wrapFetch: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
  /**
   * Adds the same checks to an axios instance, as interceptors, and returns the instance. Call this function before
   * `wrapAxiosWithPayment`, because axios runs the interceptors of responses in the order in which they were added.
   */
  readonly wrapAxios: <T extends AxiosLike>(instance: T) => T;
  /**
   * Adds the same checks to `callTool` of an MCP client, and returns the client. Call this function before the client is
   * given to the program that pays.
   *
   * @param url URL of the MCP server
   */
  readonly wrapMcp: <T extends McpClientLike>(client: T, url: string) => T;
  /**
   * Decides on a signed payment and records it in the journal, for clients that the guard cannot wrap. Call it just before
   * the payment is sent, send the payment that it returns, and then call `record`. Rejects only with an error of
   * `onDecision`.
   */
  readonly authorize: (request: AuthorizeRequest) => Promise<Authorization>;
  /**
   * Records the response to a payment that `authorize` allowed. Resolves to false for an unknown id.
   */
  readonly record: (id: string, response: RecordedResponse) => Promise<boolean>;
  /** Sums the payments of the journal. Rejects if the journal cannot be read. */
  readonly spending: () => Promise<Spending>;
  /**
   * Sends the outcomes that wait for the confirmations of their payments, for example before a program ends. Never
   * rejects. Resolves to the number of outcomes that still wait: call the function again in a minute.
   */
  readonly sendOutcomes: () => Promise<number>;
}

/**
 * Creates a guard that checks payments against the signed observations of a Touchstone service, and against the earlier
 * payments of its journal.
 *
 * @throws TypeError for invalid options
 */
export function createGuard(options: GuardOptions): Guard {
  const settings = readOptions(options);
  const { service, policy, journal, now, trace } = settings;
  const report = (decision: Decision): Decision => {
    options.onDecision?.(decision);
    return decision;
  };
  const refuse = (url: string, message: string) => report(createRefusal(url, message, settings));
  const book = new PaymentBook({ ...{ journal, policy, now, trace }, onDecision: report });
  const reported = new WeakMap<PaymentOutcome, string>();
  const reporter = createReporter(options, settings, (outcome) => {
    const id = reported.get(outcome);
    if (id !== undefined) void book.recordReport(id);
  });
  const createCheck =
    (isUrlClaimed: boolean): GateOptions['check'] =>
    async (payment, challenge) =>
      report(await addOffer(await decideWithLookup(payment, settings, isUrlClaimed), challenge, settings));
  const gateOptions: GateOptions = {
    ...{ service, refuse, book, now, check: createCheck(false) },
    onResponse: (payment, response) => {
      const outcome = createOutcome(payment, response, { now: now(), signer: options.outcomes?.address });
      if (outcome.isSigner !== false && reporter?.add(outcome) === true) reported.set(outcome, payment.id);
      try {
        options.onOutcome?.(outcome);
      } catch {
        // The request is paid, so its response must reach the program.
      }
    },
  };
  return {
    ...{ wrapFetch: createFetchWrapper(gateOptions), wrapAxios: createAxiosWrapper(gateOptions) },
    ...createManualGate(new PaymentGate(gateOptions), { book, refuse }),
    check: async (payment) => report(await decideWithLookup(payment, settings, false)),
    beforePayment: createHook(createCheck(true)),
    attachTo: (client, request) =>
      attachHooks(client, request, { ...gateOptions, check: createCheck(request === undefined) }),
    wrapMcp: createMcpWrapper(gateOptions),
    spending: async () => {
      await book.waitForRecords();
      return readSpending(journal, now());
    },
    sendOutcomes: async () => {
      await book.settle();
      return (await reporter?.flush()) ?? 0;
    },
  };
}

function createRefusal(url: string, message: string, { policy, now }: Settings): Decision {
  const payment = { url, network: '', asset: '', amount: '', payTo: '' };
  const lookup = { summary: null, failure: { code: 'invalid-payment', message } } as const;
  return decide({ payment, lookup, policy, now: now() });
}

function createReporter(
  { outcomes }: GuardOptions,
  { service, fetch, timeoutMs, now }: Settings,
  onAccepted: (outcome: PaymentOutcome) => void,
): OutcomeReporter | null {
  if (outcomes === undefined) return null;
  const signTypedData: OutcomeSigner['signTypedData'] = (data) => outcomes.signTypedData(data);
  return new OutcomeReporter({ ...{ service, signTypedData, fetch, timeoutMs, now }, onAccepted });
}
