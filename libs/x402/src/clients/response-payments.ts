import {
  exceedsNodeLimit,
  explainHeaderSize,
  explainUnreadBody,
  findMisnamedHeader,
  hasTooManyCodings,
  TOO_MANY_CODINGS,
} from '../challenge/read-header.ts';
import type { RuleInput } from '../rules/rule.ts';
import { compareSettings, type ClientSetting } from './default-settings.ts';
import { predictRefusal, type PaymentPrediction } from './payment-prediction.ts';
import { predictV1Payment } from './v1-payment.ts';
import { predictV2Payment } from './v2-payment.ts';

const NO_RESPONSE = 'No response was received.';

interface PaymentPredictions {
  readonly v1: PaymentPrediction;
  readonly v2: PaymentPrediction;
}

/** Predicts the payments of the reference clients of both versions for a response. */
export function predictPayments(input: RuleInput): PaymentPredictions {
  const { bodyEnd } = input;
  const reason =
    explainRejectedResponse(input) ?? (bodyEnd === 'too-long' ? explainUnreadBody(bodyEnd) : null);
  if (reason === null) return { v1: predictForBody(input), v2: predictForResponse(input) };
  const prediction = predictRefusal(reason);
  return { v1: prediction, v2: prediction };
}

/** Returns true if no reference client pays an envelope of the response by a payment that settles, whatever the status. */
export function isPaidByNone({ v1, v2 }: Pick<RuleInput, 'v1' | 'v2'>): boolean {
  const predictions = [
    ...[v2, v1].map((envelope) => envelope && predictV2Payment(envelope)),
    v1 && predictV1Payment(v1),
  ];
  return predictions.every((prediction) => prediction === null || !isSettled(prediction));
}

/** Returns true if the client signs a payment that settles. */
export function isSettled({ refusal, settlementFailure }: PaymentPrediction): boolean {
  return refusal === null && settlementFailure === null;
}

/**
 * Returns the settings that a buyer must change before a payment settles: an empty list if a client pays with its
 * default settings. Names the settings of the client that needs fewer; if both need the same number, those of the
 * version 2 client. Returns null if no payment settles.
 */
export function selectClientSettings({ v1, v2 }: PaymentPredictions): readonly ClientSetting[] | null {
  const needed = [v2, v1].filter(isSettled).map(({ settings }) => settings);
  return needed.sort(compareSettings)[0] ?? null;
}

/**
 * Returns the reason why no client reads a challenge in this response; null if clients read the header and the body.
 * All clients read the body to its end before they sign, also when the challenge is in the header. Source: @x402/fetch
 * 2.27 and x402-fetch 1.2, `wrapFetchWithPayment`.
 */
export function explainRejectedResponse({
  noResponseReason,
  status,
  headers,
  headerBytes,
  bodyEnd,
}: RuleInput): string | null {
  if (noResponseReason !== null) return NO_RESPONSE;
  if (status !== 402) return `The response has status ${String(status)}; clients pay only for 402.`;
  if (exceedsNodeLimit(headerBytes)) return explainHeaderSize(headerBytes);
  if (hasTooManyCodings(headers)) return TOO_MANY_CODINGS;
  return bodyEnd === 'deadline' ? explainUnreadBody(bodyEnd) : null;
}

/** Predicts the payment of the version 1 client, which reads only the body. */
function predictForBody({ body }: RuleInput): PaymentPrediction {
  if (body.state === 'read') {
    const prediction = predictV1Payment(body.envelope);
    const isOfVersion2 = body.envelope.version === 2 && prediction.refusal !== null;
    return isOfVersion2
      ? predictRefusal('The envelope in the body has version 2; version 1 clients cannot read its options.')
      : prediction;
  }
  return predictRefusal(
    body.state === 'unreadable' ? explainUnreadBody(body.fault) : 'The body is not a JSON object.',
  );
}

/** Predicts the payment of the version 2 client, which reads the header, and the body only if the header is absent. */
function predictForResponse(input: RuleInput): PaymentPrediction {
  const { header, v1 } = input;
  if (header.state === 'read') return predictV2Payment(header.envelope);
  if (header.state === 'unreadable') return predictRefusal('The PAYMENT-REQUIRED header cannot be read.');
  return v1 === null ? predictRefusal(explainMissingHeader(input)) : predictV2Payment(v1);
}

/** Formats the reason why the version 2 client finds no envelope in a response without a PAYMENT-REQUIRED header. */
function explainMissingHeader(input: RuleInput): string {
  const { body } = input;
  if (body.state === 'read' && body.envelope.version === 2)
    return 'The version 2 envelope is only in the body; clients read it from the PAYMENT-REQUIRED header.';
  const name = findMisnamedHeader(input);
  if (name !== undefined && input.v2 !== null)
    return `The envelope is in the header ${name}; clients read PAYMENT-REQUIRED.`;
  return body.state === 'unreadable' && body.fault !== 'not-json' && body.fault !== 'not-object'
    ? `There is no PAYMENT-REQUIRED header. ${explainUnreadBody(body.fault)}`
    : 'There is no PAYMENT-REQUIRED header, and no version 1 envelope in the body.';
}
