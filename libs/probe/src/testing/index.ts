export { createAuthority } from './certificates.ts';
export { createLocalResolver } from './prober.ts';
export { serveDns } from './name-server.ts';
export { serve, serveTcp, type RunningServer } from './servers.ts';
