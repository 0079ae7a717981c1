import type { x402HTTPClient } from '@x402/core/client';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import type { PaymentRequired } from '@x402/core/types';
import { CHAIN_NETWORKS } from '../chain/network.ts';
import type { HttpResponse } from '../endpoints/http-response.ts';
import { parseJson } from '../parsing/json.ts';

function getHeader({ headers }: HttpResponse, name: string): string | null {
  const index = headers.findIndex((each, at) => at % 2 === 0 && each.toLowerCase() === name.toLowerCase());
  return index < 0 ? null : (headers[index + 1] ?? null);
}

function readChallenge(http: x402HTTPClient, response: HttpResponse): PaymentRequired | null {
  try {
    const body = parseJson(response.body.toString('utf8'));
    return http.getPaymentRequiredResponse((name) => getHeader(response, name), body);
  } catch {
    return null;
  }
}

/** Returns the CAIP-2 id of a network with a v1 name. Networks without a chain all become `v1:other`. */
function toNetworkId(v1Name: string) {
  return CHAIN_NETWORKS.find((network) => network.v1Name === v1Name)?.id ?? 'v1:other';
}

/**
 * Converts a v1 challenge to v2 and returns a v2 challenge unchanged. Returns null for any other value. Both versions
 * result in the same call of the token contract, so the conversion does not change the payment.
 */
function toVersion2(required: PaymentRequired): PaymentRequired | null {
  const v2 = PaymentRequiredV2Schema.safeParse(required);
  if (v2.success) return required;
  const v1 = PaymentRequiredV1Schema.safeParse(required);
  if (!v1.success) return null;
  return {
    x402Version: 2,
    resource: { url: v1.data.accepts[0]?.resource ?? '' },
    accepts: v1.data.accepts.map(({ scheme, network, maxAmountRequired, asset, payTo, ...rest }) => ({
      scheme,
      network: toNetworkId(network),
      amount: maxAmountRequired,
      asset,
      payTo,
      maxTimeoutSeconds: rest.maxTimeoutSeconds,
      extra: rest.extra ?? {},
    })),
  };
}

/**
 * Reads the challenge of a response with the reference client and converts it to v2.
 * @returns the v2 challenge, or null when the client cannot read the challenge
 */
export function readPaymentRequired(http: x402HTTPClient, response: HttpResponse): PaymentRequired | null {
  const required = readChallenge(http, response);
  return required && toVersion2(required);
}
