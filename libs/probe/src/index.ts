export { createCachedResolver } from './dns/cached-resolver.ts';
export { createProber, DEFAULT_LIMITS as defaultLimits } from './create-prober.ts';
export type { ProberOptions } from './create-prober.ts';
export { classifyUptime } from './outcome/classify-uptime.ts';
export { SandboxNotRunningError, connectToSandbox, type SandboxClient } from './sandbox/sandbox-client.ts';
export { refuseAddress } from './dns/refuse-address.ts';
export { createSystemResolver } from './dns/system-resolver.ts';
export type { SystemResolverOptions } from './dns/system-resolver.ts';
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
