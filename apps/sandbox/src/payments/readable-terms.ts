import type { x402HTTPClient } from '@x402/core/client';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import type { PaymentRequired } from '@x402/core/types';
import type { HttpReply } from '../http-reply.ts';
import { NETWORK, NETWORK_V1 } from '../chain/network.ts';
import { parseJson } from '../json.ts';

const headerOf = ({ headers }: HttpReply, name: string): string | null => {
  const index = headers.findIndex((each, at) => at % 2 === 0 && each.toLowerCase() === name.toLowerCase());
  return index < 0 ? null : (headers[index + 1] ?? null);
};

const read = (http: x402HTTPClient, reply: HttpReply): PaymentRequired | null => {
  try {
    const body = parseJson(reply.body.toString('utf8'));
    return http.getPaymentRequiredResponse((name) => headerOf(reply, name), body);
  } catch {
    return null;
  }
};

/** The same terms in version 2's words: on the chain the two versions are one. */
const inVersion2 = (required: PaymentRequired): PaymentRequired | null => {
  const v2 = PaymentRequiredV2Schema.safeParse(required);
  if (v2.success) return required;
  const v1 = PaymentRequiredV1Schema.safeParse(required);
  if (!v1.success) return null;
  return {
    x402Version: 2,
    resource: { url: v1.data.accepts[0]?.resource ?? '' },
    accepts: v1.data.accepts.map(({ scheme, network, maxAmountRequired, asset, payTo, ...rest }) => ({
      scheme,
      network: network === NETWORK_V1 ? NETWORK : 'v1:other',
      amount: maxAmountRequired,
      asset,
      payTo,
      maxTimeoutSeconds: rest.maxTimeoutSeconds,
      extra: rest.extra ?? {},
    })),
  };
};

/**
 * What the stock client reads from an answer, in version 2's words.
 * @returns null when it cannot read it
 */
export const readableTerms = (http: x402HTTPClient, reply: HttpReply): PaymentRequired | null => {
  const required = read(http, reply);
  return required && inVersion2(required);
};
