import type { Snapshot } from '@touchstone/store';
import { formatUsd } from '@touchstone/ui';
import { getNetworkName } from '@touchstone/x402/networks';
import type { ReactNode } from 'react';
import { createReportCalls, type CallForm } from '../../../docs/call-forms.ts';
import { requireOperation } from '../../../operations/require-operation.ts';
import { CodeBlock } from '../../shared/code-block.tsx';
import { Section } from '../section.tsx';
import { ReportContents } from './report-contents.tsx';
import type { SellerOptions } from './seller-options.ts';

/** Contents and price of the paid report on an endpoint, with its call in four forms. */
export function ReportOffer({
  snapshot,
  seller,
}: {
  readonly snapshot: Snapshot;
  readonly seller: SellerOptions;
}) {
  const operation = requireOperation('/v1/x402-trust');
  const { id, priceUsd } = operation;
  const price = priceUsd === null ? 'nothing' : `${formatUsd(priceUsd)} in USDC on ${formatNetwork(seller)}`;
  return (
    <Section id="report" title="What the paid report adds">
      <p className="max-w-3xl text-ink-soft">
        This page has the verdict and the headline figures. The <a href={`/docs#${id}`}>trust report</a> has
        the reasons. It costs {price} per call, without an account or API key.{' '}
        <a href="/methodology">How the score works</a>
      </p>
      <ReportContents snapshot={snapshot} />
      <h3 className="mt-6 text-lg font-semibold">Buy the report on this endpoint</h3>
      {seller.arePaymentsEnabled ? null : (
        <p className="mt-1">This service takes no payments at present, so the call returns an error.</p>
      )}
      <div className="mt-2 border-b border-line">
        {createReportCalls(operation, { ...seller, resource: snapshot.resource }).map((call, index) => (
          <Call key={call.name} call={call} isOpen={index === 0} />
        ))}
      </div>
    </Section>
  );
}

function formatNetwork({ network }: SellerOptions): string {
  return getNetworkName(network) ?? network;
}

/** Explanation of each form of the call. */
const NOTES: Readonly<Record<CallForm['name'], ReactNode>> = {
  CLI: 'Shows the price, asks before it pays, verifies the report and prints it.',
  TypeScript: (
    <>
      Pays from the wallet whose private key is in <code>PRIVATE_KEY</code>.
    </>
  ),
  MCP: (
    <>
      Message of an MCP client that can pay. <a href="/mcp">Connect an agent</a>
    </>
  ),
  curl: 'The response has status 402 with the price and the payment terms. It costs nothing, because curl cannot pay.',
};

/** One form of the call. At most one form is open. */
function Call({ call: { name, code }, isOpen }: { readonly call: CallForm; readonly isOpen: boolean }) {
  return (
    <details name="call" open={isOpen} className="border-t border-line">
      <summary className="cursor-pointer py-2 font-semibold">
        {name === 'curl' ? 'See the price (curl)' : name}
      </summary>
      <div className="pb-4">
        <p className="text-ink-soft">{NOTES[name]}</p>
        <CodeBlock label={`Trust report, ${name}`} code={code} isWrapped={name !== 'TypeScript'} />
      </div>
    </details>
  );
}
