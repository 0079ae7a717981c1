export {
  createPayment,
  encodePayment,
  post,
  readChallengeHeader,
  readReceiptHeader,
  sign,
  type Reply,
} from './buyer.ts';
export { openProxy, type Fault } from './facilitator-proxy.ts';
export { openPaymentWorld, type PaymentWorld } from './payment-world.ts';
