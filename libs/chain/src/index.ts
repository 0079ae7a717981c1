export { findAuthorization, type AuthorizationFate, type AuthorizationOrder } from './find-authorization.ts';
export { confirmationsOf, isReadable } from './networks.ts';
export { facilitatorOf } from './facilitators.ts';
export { readFunds } from './read-funds.ts';
export { readSettlements } from './read-settlements.ts';
export { rpcSettingsSchema } from './rpc-settings.ts';
export { createProviders, type Providers, type ProvidersOptions } from './rpc/providers.ts';
export { ChainUnreadable } from './rpc/rpc-failure.ts';
export type { ReadOrder } from './types.ts';
