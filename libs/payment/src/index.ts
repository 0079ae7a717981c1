export { createFacilitator, type FacilitatorOptions } from './facilitator.ts';
export type { CdpKey } from './cdp-headers.ts';
export { createSeller } from './create-seller.ts';
export { reconcilePayments, type Reconciled, type ReconcileOptions } from './reconcile-payments.ts';
export type { Leases, Purchase, Sale, Seller, SellerOptions, SoldOperation, WorkResult } from './types.ts';
