import type { Decision } from './decision/decision.ts';

/** Error for a payment that the policy refuses. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError';
  readonly decision: Decision;

  constructor(decision: Decision) {
    super(formatRefusal(decision));
    this.decision = decision;
  }
}

/** Returns the messages of the reasons that stop a payment. */
export function formatRefusal({ reasons }: Decision): string {
  const messages = reasons.filter(({ action }) => action === 'abort').map(({ message }) => message);
  return ['The payment was refused.', ...messages].join(' ');
}
