export { describeAnswerFailure } from './answer-failure.ts';
export { findBodyFaults, type ReceivedBody } from './body-faults.ts';
export { hasExample, judgeOutcome, type PaidAnswer, type PurchaseFacts } from './judge-outcome.ts';
export { findMissingInput } from './missing-input.ts';
export { planRequest, type PlannedRequest, type RequestPlan, type RequestTarget } from './plan-request.ts';
export {
  deliveryBudgetSchema,
  deliveryKeySchema,
  deliverySkipSchema,
  toPurchaseSettings,
  type PurchaseSettings,
} from './pay/purchase-settings.ts';
export { selectOption, type PayableOption } from './pay/select-option.ts';
export { signPayment } from './pay/sign-payment.ts';
