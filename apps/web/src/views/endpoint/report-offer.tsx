import { formatCount, formatUsd } from '@touchstone/common';
import type { Snapshot } from '@touchstone/store';
import { getNetworkName } from '@touchstone/x402/networks';
import type { ReactNode } from 'react';
import { type CallForm, createReportCalls } from '../../operations/documents/call-forms.ts';
import { trustReportOperation } from '@touchstone/contract/operations/trust-report/operation';
import { CodeBlock } from '../../page-parts/code-block.tsx';
import { type EndpointProps, Section } from './section.tsx';

/** Contents and price of the paid report on an endpoint, with its call in four forms. */
export function ReportOffer({ snapshot, seller }: EndpointProps & { readonly seller: SellerOptions }) {
  const operation = trustReportOperation;
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

/** One form of the call in a section that can be opened. At most one section is open. */
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

/** List of the contents that only the paid trust report has, not this page. */
function ReportContents({ snapshot }: EndpointProps) {
  return (
    <dl className="mt-3 grid gap-x-8 sm:grid-cols-2 xl:grid-cols-3">
      <Item title="Score components">
        Value, weight, points and input figures of uptime, compliance, stability, activity, age and latency.
      </Item>
      <Item title="Flags">{describeFlags(snapshot)}</Item>
      <Item title="Compliance">Each failed check of the payment challenge, with its fix.</Item>
      <Item title="Settlements on chain">
        US dollars, payments and distinct payers of its payTo addresses in the last 30 days.
      </Item>
      <Item title="Live probe">
        {snapshot.templated
          ? 'A URL with real values instead of the placeholders is probed when you buy its report. A template is not.'
          : 'The endpoint is probed when you buy, and the report contains the result.'}
      </Item>
      <Item title="Signature">
        Anyone can <a href="/methodology#recompute">verify the report</a> and recompute the score.
      </Item>
    </dl>
  );
}

function Item({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="border-t border-line py-3">
      <dt className="font-semibold">{title}</dt>
      <dd className="text-ink-soft">{children}</dd>
    </div>
  );
}

function describeFlags({ errorFlags, warningFlags }: Snapshot): string {
  const counts = [
    ...(errorFlags === 0 ? [] : [formatCount(errorFlags, 'error flag')]),
    ...(warningFlags === 0 ? [] : [formatCount(warningFlags, 'warning')]),
  ];
  const details = 'Each flag has its evidence and the time since which it applies.';
  return counts.length === 0
    ? `No flag is raised now. ${details}`
    : `The ${counts.join(' and the ')} of this endpoint by name. ${details}`;
}

/** Properties of this service that its offers on an endpoint page show. */
export interface SellerOptions {
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
  /** CAIP-2 id of the payment network. */
  readonly network: string;
  /** False if the operator has configured no payments, so that nothing can be bought. */
  readonly arePaymentsEnabled: boolean;
}
