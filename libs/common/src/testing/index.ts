export { setBalance, settlePayment } from './settle-payment.ts';
export { openSharedSandbox, type SharedSandbox } from './shared-sandbox.ts';
