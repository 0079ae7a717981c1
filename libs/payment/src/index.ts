export type { Purchase, Sale, Seller, SellerOptions, SoldOperation } from './types.ts';
