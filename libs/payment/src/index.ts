export { createFacilitator, type FacilitatorOptions } from './gateway/facilitator.ts';
export type { CdpKey } from './gateway/cdp-headers.ts';
export { createSeller } from './create-seller.ts';
export { addNotCharged, toUnreadState } from './fulfilment/not-charged.ts';
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
  ContractOperation,
  Leases,
  PaidOperation,
  ResultCipher,
  Seller,
  SellerOptions,
  WorkContext,
  WorkResult,
} from './types.ts';
