export {
  readAuthorizationState,
  type AuthorizationQuery,
  type AuthorizationState,
} from './authorization/read-authorization-state.ts';
export { hasCode } from './authorization/has-code.ts';
export { readFunds } from './authorization/read-funds.ts';
export { readNewestBlock } from './evm/read-newest-block.ts';
export { readSettlements } from './read-settlements.ts';
export { createProviders, type Providers } from './rpc/providers.ts';
export { ChainUnreadableError } from './rpc/rpc-failure.ts';
export { rpcSettingsSchema } from './rpc/rpc-settings.ts';
export type { SettlementQuery } from './types.ts';
