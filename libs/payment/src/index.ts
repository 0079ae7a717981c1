export { createFacilitator, type CdpKey, type FacilitatorOptions } from './gateway/facilitator.ts';
export { createSeller } from './create-seller.ts';
export { addNotCharged, toUnreadState } from './fulfilment/respond.ts';
export {
  createPurchaseQueue,
  type PurchaseQueue,
  type PurchaseQueueOptions,
} from './queue/purchase-queue.ts';
export { readJson } from './request/read-input.ts';
export {
  reconcilePayments,
  type ReconcileOptions,
  type ReconciliationCounts,
} from './reconciliation/reconcile-payments.ts';
export type {
  Buyer,
  Leases,
  PaidOperation,
  ResultCipher,
  Seller,
  SellerOptions,
  WorkContext,
  WorkResult,
} from './types.ts';
