export { isChainFailing } from './gateway/query-chain.ts';
export { createFacilitator } from './gateway/facilitator.ts';
export { createSeller } from './create-seller.ts';
export { addUnreadState } from './fulfilment/respond.ts';
export { createPurchaseQueue } from './queue/purchase-queue.ts';
export { readJson } from './request/read-input.ts';
export {
  reconcilePayments,
  type ReconcileOptions,
  type ReconciliationCounts,
} from './reconciliation/reconcile-payments.ts';
export type { Buyer, PaidOperation, Seller, WorkContext, WorkResult } from './types.ts';
