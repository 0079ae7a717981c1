export { createProber } from './create-prober.ts';
export type { ProberOptions } from './create-prober.ts';
export { createSender, type Sender, type SenderOptions, type SendRequest } from './create-sender.ts';
export { createCachedResolver } from './dns/cached-resolver.ts';
export { createSystemResolver } from './dns/system-resolver.ts';
export type { SystemResolverOptions } from './dns/system-resolver.ts';
export { DEFAULT_LIMITS } from './http/request-context.ts';
export { describeFailure, type FailureDescription, type FailurePhase } from './outcome/describe-failure.ts';
export { classifyUptime } from './outcome/classify-uptime.ts';
export { openSandboxClient, SandboxNotRunningError, type SandboxClient } from './sandbox/sandbox-client.ts';
export type {
  CertificateFacts,
  DialAddress,
  Outcome,
  Phase,
  PhaseTimings,
  Probe,
  ProbeLimits,
  Prober,
  ProbeTarget,
  RequestFailure,
  Resolver,
} from './types.ts';
