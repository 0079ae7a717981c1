import {
  PaymentPayloadV1Schema,
  PaymentPayloadV2Schema,
  PaymentRequirementsV1Schema,
  PaymentRequirementsV2Schema,
} from '@x402/core/schemas';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';

/** A payment and its requirements, both of the same protocol version. */
export interface Payment {
  readonly payload: PaymentPayload;
  readonly requirements: PaymentRequirements;
}

/** Parses a v1 or v2 payment with its requirements. Returns null when neither version matches. */
export const parsePayment = (payload: unknown, requirements: unknown): Payment | null => {
  const isValid = [
    PaymentPayloadV2Schema.safeParse(payload).success &&
      PaymentRequirementsV2Schema.safeParse(requirements).success,
    PaymentPayloadV1Schema.safeParse(payload).success &&
      PaymentRequirementsV1Schema.safeParse(requirements).success,
  ];
  if (!isValid.includes(true)) return null;
  // Both were validated above. The facilitator declares v2 types only, but accepts v1 by its version number.
  return { payload: payload as PaymentPayload, requirements: requirements as PaymentRequirements };
};
