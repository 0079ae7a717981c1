export {
  type AuthorizationQuery,
  type AuthorizationState,
  readAuthorizationState,
} from './authorization/read-authorization-state.ts';
export { hasCode, isMinedOnDemand, readFunds } from './authorization/read-payer.ts';
export {
  type ChainPayment,
  type PaymentStatusQuery,
  type PaymentStatusReading,
  type PaymentStatusReason,
  readPaymentStatus,
} from './authorization/read-payment-status.ts';
export { verifyMessage, verifyTypedData } from './authorization/verify-message.ts';
export { readBlockTime, readNewestBlock } from './evm/blocks.ts';
export { getConfirmations } from './evm/read-evm-settlements.ts';
export { readSettlements } from './read-settlements.ts';
export { createProviders, type Providers } from './rpc/providers.ts';
export { ChainUnreadableError } from './rpc/provider.ts';
export { rpcSettingsSchema } from './rpc/rpc-settings.ts';
