export { startSandbox } from './start-sandbox.ts';
export type { RunningSandbox, SandboxReady, StartSandboxOptions } from './start-sandbox.ts';
export type { Zone } from './control/control-server.ts';
