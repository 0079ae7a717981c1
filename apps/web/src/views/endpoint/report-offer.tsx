import { formatNetwork } from '@touchstone/ui';
import { formatCount, formatUsd } from '@touchstone/common';
import { TRUST_REPORT_EXAMPLE, WATCH_DAYS } from '@touchstone/contract';
import { similarOperation } from '@touchstone/contract/operations/similar/operation';
import { trustReportOperation } from '@touchstone/contract/operations/trust-report/operation';
import { createWatchOperation } from '@touchstone/contract/operations/watch/operation';
import type { Snapshot } from '@touchstone/store';
import type { ReactNode } from 'react';
import { type CallForm, createReportCalls } from '../../operations/documents/call-forms.ts';
import { formatCliCommand } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { CodeBlock } from '../../page-parts/code-block.tsx';
import { ClosedSection, type EndpointProps } from './section.tsx';

interface OfferProps extends EndpointProps {
  readonly seller: SellerOptions;
}

/** Contents, sample and price of the paid report on an endpoint, its call in four forms, and the other offers. */
export function ReportOffer({ snapshot, seller }: OfferProps) {
  const { id, priceUsd } = trustReportOperation;
  const price =
    priceUsd === null ? 'nothing' : `${formatUsd(priceUsd)} in USDC on ${formatNetwork(seller.network)}`;
  return (
    <ClosedSection id="report" title="Paid report" gist={formatGist()}>
      <p className="text-ink-soft">
        The <a href={`/docs#${id}`}>trust report</a> has the reasons for the verdict.{' '}
        {describeFlags(snapshot)}{' '}
        {snapshot.templated
          ? 'It needs a URL with real values for a live probe.'
          : 'The endpoint is probed live when you buy.'}{' '}
        It costs {price} per call, without an account or API key.{' '}
        <a href="/methodology">How the score works</a>
      </p>
      {seller.arePaymentsEnabled ? null : (
        <p className="mt-1">This service takes no payments at present, so the call returns an error.</p>
      )}
      <div className="mt-2 border-b border-line">
        <Sample />
        {createReportCalls(trustReportOperation, { ...seller, resource: snapshot.resource }).map((call) => (
          <Call key={call.name} call={call} />
        ))}
        <WatchOffer snapshot={snapshot} seller={seller} />
      </div>
      {similarOperation.priceUsd === null ? null : (
        <p className="mt-2 text-sm">
          <a href={`/docs#${similarOperation.id}`} className="inline-block py-0.5">
            Similar endpoints with a better score
          </a>
          <span className="text-ink-soft">, {formatUsd(similarOperation.priceUsd)}</span>
        </p>
      )}
    </ClosedSection>
  );
}

function formatGist(): string {
  const { priceUsd } = trustReportOperation;
  return `Reasons, flags and a live probe${priceUsd === null ? '' : ` for ${formatUsd(priceUsd)}`}; a sample is free`;
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

function Sample() {
  return (
    <Disclosure title="Sample of a report, free">
      <p className="text-ink-soft">
        Part of an example report on another endpoint.{' '}
        <a href="/v1/x402-trust-preview">Three complete reports of this service</a> are free.
      </p>
      <CodeBlock label="Sample of a report" code={SAMPLE} />
    </Disclosure>
  );
}

/** Part of the example report that the page of its endpoint does not show. */
const SAMPLE = ((): string => {
  const { resource, reasons, components, settlement } = TRUST_REPORT_EXAMPLE;
  return JSON.stringify(
    {
      ...{ resource, reasons, components: { uptime: components.uptime } },
      settlement: settlement && {
        volumeUsd30d: settlement.volumeUsd30d,
        settlements30d: settlement.settlements30d,
        payers30d: settlement.payers30d,
      },
    },
    null,
    2,
  );
})();

/** One form of the call in a section that can be opened. */
function Call({ call: { name, code } }: { readonly call: CallForm }) {
  return (
    <Disclosure title={name === 'curl' ? 'See the price (curl)' : `Buy: ${name}`}>
      <p className="text-ink-soft">{NOTES[name]}</p>
      <CodeBlock label={`Trust report, ${name}`} code={code} isWrapped={name !== 'TypeScript'} />
    </Disclosure>
  );
}

/** Section that can be opened. At most one section is open. */
function Disclosure({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details name="call" className="border-t border-line">
      <summary className="cursor-pointer py-1.5 font-semibold">{title}</summary>
      <div className="pb-3">{children}</div>
    </details>
  );
}

/** Alerts about the endpoint. The link `#watch` opens the section. */
function WatchOffer({ snapshot, seller }: OfferProps) {
  const { priceUsd } = createWatchOperation;
  const price = priceUsd === null ? 'free' : formatUsd(priceUsd);
  return (
    <Disclosure title={`Watch this endpoint for ${WATCH_DAYS} days, ${price}`}>
      <p id="watch" className="scroll-mt-20 text-ink-soft">
        Alerts by webhook, Slack or Discord when it goes down or changes its price or payTo address.{' '}
        <a href="/watch">About watches</a>
      </p>
      <CodeBlock
        label="Watch, command"
        code={formatCliCommand(seller.baseUrl, ['watch', 'create', quoteForShell(snapshot.resource)])}
        isWrapped
      />
    </Disclosure>
  );
}

function describeFlags({ errorFlags, warningFlags }: Snapshot): string {
  const counts = [
    ...(errorFlags === 0 ? [] : [formatCount(errorFlags, 'error')]),
    ...(warningFlags === 0 ? [] : [formatCount(warningFlags, 'warning')]),
  ];
  return counts.length === 0
    ? 'No flag is raised now.'
    : `It names the ${counts.join(' and the ')} of this endpoint, each with its evidence and start.`;
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
