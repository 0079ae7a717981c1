export {
  type AuthorizationQuery,
  type AuthorizationState,
  hasCode,
  isMinedOnDemand,
  readAuthorizationState,
  readFunds,
} from './authorization/read-payer.ts';
export { readPayments } from './authorization/read-payments.ts';
export { verifyMessage, verifyTypedData } from './authorization/verify-message.ts';
export { readBlockTime, readNewestBlock } from './evm/blocks.ts';
export { getConfirmations } from './evm/read-evm-settlements.ts';
export { readSettlements } from './read-settlements.ts';
export { createProviders, type Providers } from './rpc/providers.ts';
export { ChainUnreadableError } from './rpc/provider.ts';
export { rpcSettingsSchema } from './rpc/rpc-settings.ts';
