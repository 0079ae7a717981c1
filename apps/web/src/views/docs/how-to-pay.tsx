import { getNetworkName } from '@touchstone/x402/networks';

/** The three steps of a payment, for who has never made one. */
export function HowToPay({ network }: { readonly network: string }) {
  return (
    <ol className="mt-4 max-w-3xl list-decimal space-y-3 pl-6">
      <li>
        <strong>Ask.</strong> Call the operation without a payment. It answers <code>402</code>, and its{' '}
        <code>PAYMENT-REQUIRED</code> header says what it costs, in which token and to whom.
      </li>
      <li>
        <strong>Sign.</strong> Sign a transfer of that much USDC on {getNetworkName(network)} (EIP-3009). It
        costs no gas and moves nothing yet. The x402 clients do this for you.
      </li>
      <li>
        <strong>Ask again</strong> with the signature in the <code>PAYMENT-SIGNATURE</code> header. The work
        is done first and settled then: <code>PAYMENT-RESPONSE</code> names the transaction. An error that
        says <code>notCharged</code> took nothing.
      </li>
    </ol>
  );
}
