import {
  PaymentPayloadV1Schema,
  PaymentPayloadV2Schema,
  PaymentRequirementsV1Schema,
  PaymentRequirementsV2Schema,
} from '@x402/core/schemas';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';

/** A payment and its payment requirements, both of the same x402 version. */
export interface Payment {
  readonly payload: PaymentPayload;
  readonly requirements: PaymentRequirements;
}

/**
 * Validates a payment and its payment requirements with the schemas of x402 v2 and v1. Returns null when neither
 * version matches.
 */
export function parsePayment(payload: unknown, requirements: unknown): Payment | null {
  const isValid = [
    PaymentPayloadV2Schema.safeParse(payload).success &&
      PaymentRequirementsV2Schema.safeParse(requirements).success,
    PaymentPayloadV1Schema.safeParse(payload).success &&
      PaymentRequirementsV1Schema.safeParse(requirements).success,
  ];
  if (!isValid.includes(true)) return null;
  // Both values were validated above. The casts are necessary because the facilitator declares only v2 types, although
  // it also accepts v1 payments.
  return { payload: payload as PaymentPayload, requirements: requirements as PaymentRequirements };
}
