export type { SandboxReady } from './sandbox-ready.ts';
export { startSandbox } from './start-sandbox.ts';
export type { RunningSandbox, StartSandboxOptions } from './start-sandbox.ts';
export type { Zone } from './control/zone.ts';
