export {
  readAuthorizationState,
  type AuthorizationState,
  type AuthorizationQuery,
} from './authorization/read-authorization-state.ts';
export { getConfirmations, isReadable } from './networks.ts';
export { findFacilitator } from './facilitators.ts';
export { readFunds } from './authorization/read-funds.ts';
export { readSettlements } from './read-settlements.ts';
export { rpcSettingsSchema } from './rpc/rpc-settings.ts';
export { createProviders, type Providers, type ProvidersOptions } from './rpc/providers.ts';
export { ChainUnreadableError } from './rpc/rpc-failure.ts';
export type { SettlementQuery } from './types.ts';
