export { cachedResolver } from './cached-resolver.ts';
export { createProber, defaultLimits } from './create-prober.ts';
export type { ProberOptions } from './create-prober.ts';
export { isUp } from './is-up.ts';
export { LocalWorldError, openLocalWorld, type LocalWorld } from './local-world.ts';
export { refuseAddress } from './refuse-address.ts';
export { systemResolver } from './system-resolver.ts';
export type { SystemResolverOptions } from './system-resolver.ts';
export type {
  DialAddress,
  Outcome,
  Phase,
  PhaseTimings,
  Probe,
  ProbeLimits,
  Prober,
  ProbeTarget,
  Resolver,
} from './types.ts';
