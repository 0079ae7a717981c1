import { readMember, readText } from '@touchstone/x402/json';
import { formatRefusal } from '../decision/decision.ts';
import { encodeHeader, readOffer } from './challenge.ts';
import type { AllowedPayment } from './payment-book.ts';
import { type GateOptions, PaymentGate } from './payment-gate.ts';
import { hashBody } from './request-key.ts';

/** Context of the hook `onBeforePaymentCreation` of an x402 client. The members of the context are untrusted. */
export interface PaymentContext {
  readonly paymentRequired: object;
  readonly selectedRequirements: object;
}

/** Result of the hook `beforePayment`: undefined if the payment is allowed. */
export type HookResult = undefined | { abort: true; reason: string };

/** Request that a program really makes with an x402 client. */
export interface HookRequest {
  /** Requested URL, with its query. */
  readonly url: string;
  /**
   * Method of a request without a body. If the method is left out, the guard cannot recognize a second payment of the same
   * request, because requests with different bodies can have one URL.
   */
  readonly method?: string | undefined;
}

interface CreatedContext extends PaymentContext {
  readonly paymentPayload: object;
}

interface ResponseContext {
  readonly paymentPayload: object;
  readonly settleResponse?: object | undefined;
}

/** The part of an x402 client that the guard uses. */
export interface ClientHooks {
  readonly onBeforePaymentCreation: (hook: (context: PaymentContext) => Promise<HookResult>) => unknown;
  readonly onAfterPaymentCreation: (hook: (context: CreatedContext) => Promise<void>) => unknown;
  readonly onPaymentResponse: (hook: (context: ResponseContext) => Promise<void>) => unknown;
}

/** Creates the hook that checks payment terms before a payment is signed. `url`: requested URL, if it is known. */
export function createHook(
  check: GateOptions['check'],
  url?: string,
): (context: PaymentContext) => Promise<HookResult> {
  return async (context) => {
    const { paymentRequired, selectedRequirements } = context;
    const offer = readOffer(readMember(paymentRequired, 'x402Version'), selectedRequirements);
    const payment = { url: url ?? readClaimedUrl(context), ...offer };
    const decision = await check(payment, paymentRequired);
    return decision.action === 'abort' ? { abort: true, reason: formatRefusal(decision) } : undefined;
  };
}

/** Reads the URL that the seller claims. Version 1 states the URL in the requirements. */
function readClaimedUrl({ paymentRequired, selectedRequirements }: PaymentContext): string {
  const url =
    readMember(paymentRequired, 'x402Version') === 1
      ? readText(selectedRequirements, 'resource')
      : readText(readMember(paymentRequired, 'resource'), 'url');
  return url ?? '';
}

/**
 * Adds the checks of a guard to an x402 client, as hooks.
 *
 * @param options options whose `check` trusts the URL only if `request` is given
 */
export function attachHooks<T extends ClientHooks>(
  client: T,
  request: HookRequest | undefined,
  options: GateOptions,
): T {
  const gate = new PaymentGate({ ...options, isHook: true });
  const sent = new WeakMap<object, AllowedPayment>();
  client.onBeforePaymentCreation(createHook(options.check, request?.url));
  client.onAfterPaymentCreation(async (context) => {
    const url = request?.url ?? readClaimedUrl(context);
    const method = request?.method;
    const bodySha256 = method === undefined ? null : await hashBody(undefined);
    gate.learnChallenge(url, context.paymentRequired);
    const header = encodeHeader(context.paymentPayload);
    const allowed = await gate.authorize({ url, method: method ?? '', bodySha256 }, header);
    if (allowed !== null) sent.set(context.paymentPayload, allowed);
  });
  client.onPaymentResponse(async ({ paymentPayload, settleResponse }) => {
    const allowed = sent.get(paymentPayload);
    if (allowed === undefined || !options.book.forgetHooked(allowed.header)) return;
    // The hook receives neither status nor body. A seller can claim a settlement without a delivery.
    const delivered = readMember(settleResponse, 'success') === true ? null : false;
    const paymentResponse = settleResponse === undefined ? null : encodeHeader(settleResponse);
    await gate.record(allowed, { status: null, delivered, paymentResponse });
  });
  return client;
}
