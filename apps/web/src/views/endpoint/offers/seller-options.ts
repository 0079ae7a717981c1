/** Properties of this service that its offers on an endpoint page show. */
export interface SellerOptions {
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
  /** CAIP-2 id of the payment network. */
  readonly network: string;
  /** False if the operator has configured no payments, so that nothing can be bought. */
  readonly arePaymentsEnabled: boolean;
}
