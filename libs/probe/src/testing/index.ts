export { createAuthority } from './certificates.ts';
export { createLocalResolver } from './prober.ts';
export { serve, serveTcp, type RunningServer } from './servers.ts';
