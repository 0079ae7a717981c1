import {
  PaymentPayloadV1Schema,
  PaymentPayloadV2Schema,
  PaymentRequirementsV1Schema,
  PaymentRequirementsV2Schema,
} from '@x402/core/schemas';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';

/** A payment and what it was to pay, in the words of one protocol version. */
export interface Payment {
  readonly payload: PaymentPayload;
  readonly requirements: PaymentRequirements;
}

/** Either version's payment, or null when it is neither: they are told apart by the payload's own version. */
export const parsePayment = (payload: unknown, requirements: unknown): Payment | null => {
  const asked = [
    PaymentPayloadV2Schema.safeParse(payload).success &&
      PaymentRequirementsV2Schema.safeParse(requirements).success,
    PaymentPayloadV1Schema.safeParse(payload).success &&
      PaymentRequirementsV1Schema.safeParse(requirements).success,
  ];
  if (!asked.includes(true)) return null;
  // What was parsed above; the facilitator's types are those of version 2, and it takes version 1 by its number.
  return { payload: payload as PaymentPayload, requirements: requirements as PaymentRequirements };
};
