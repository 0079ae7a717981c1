export { createProber, type AcquireHost, type ProberOptions } from './create-prober.ts';
export { createSender, type Sender, type SendRequest } from './create-sender.ts';
export {
  ALIAS_CODE,
  createCachedResolver,
  createSystemResolver,
  createTxtResolver,
  NO_RECORD_CODES,
  type TxtResolver,
  type SystemResolverOptions,
} from './dns/resolvers.ts';
export { DEFAULT_LIMITS, type RequestOptions } from './http/request-context.ts';
export {
  describeFailure,
  getRedirectTarget,
  type FailureDescription,
  type FailurePhase,
} from './outcome/describe-failure.ts';
export { classifyUptime, CONNECTION_LIMIT_CODE, type Outcome } from './outcome/classify-outcome.ts';
export { openSandboxClient, SandboxNotRunningError, type SandboxClient } from './sandbox/sandbox-client.ts';
export type {
  CertificateFacts,
  DialAddress,
  Phase,
  PhaseTimings,
  Probe,
  ProbeLimits,
  Prober,
  ProbeTarget,
  RequestFailure,
  Resolver,
} from './types.ts';
