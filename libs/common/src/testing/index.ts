export { openSharedSandbox, type SharedSandbox } from './shared-sandbox.ts';
export { findFigures } from './figures.ts';
