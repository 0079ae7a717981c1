import { getNetworkName } from '@touchstone/x402/networks';

/** Three steps of an x402 payment. */
export function HowToPay({ network }: { readonly network: string }) {
  return (
    <ol className="mt-4 max-w-3xl list-decimal space-y-3 pl-6">
      <li>
        <strong>Request.</strong> Call the operation without a payment. The response has status{' '}
        <code>402</code>. Its <code>PAYMENT-REQUIRED</code> header contains the price, the token and the
        recipient.
      </li>
      <li>
        <strong>Sign.</strong> Sign a transfer of this amount of USDC on {getNetworkName(network)} (EIP-3009).
        The signature costs no gas and does not move money yet. The x402 clients do this step for you.
      </li>
      <li>
        <strong>Pay.</strong> Send the request again with the signature in the <code>PAYMENT-SIGNATURE</code>{' '}
        header. The service first creates the result and then settles the payment;{' '}
        <code>PAYMENT-RESPONSE</code> names the transaction. An error with <code>notCharged</code> did not
        charge you.
      </li>
    </ol>
  );
}
