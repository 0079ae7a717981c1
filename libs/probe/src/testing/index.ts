export { createAuthority } from './certificates.ts';
