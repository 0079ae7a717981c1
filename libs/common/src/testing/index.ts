export { openSharedSandbox, type SharedSandbox } from './shared-sandbox.ts';
