import { formatUsd } from '@touchstone/common';
import {
  CLIENTS_NOTE,
  LOST_RESPONSE_NOTE,
  MAX_DAILY_MESSAGES,
  PROBLEMS,
  REFUSAL_FILE,
  WATCH_MESSAGES_SECTION,
} from '@touchstone/contract';
import { PageFrame } from '@touchstone/ui';
import { getNetworkName } from '@touchstone/x402/networks';
import type { ReactNode } from 'react';
import { type ExampleOptions, createAllCodeExamples } from '../../operations/documents/code-examples.ts';
import { CopyScript } from '../../page-parts/code-block.tsx';
import { ScrollTable } from '../../page-parts/scroll-table.tsx';
import { OperationSection } from './operation-section.tsx';

/**
 * API reference: payment steps, every operation with its price and examples, and every error. The page is generated
 * from `OPERATIONS` of the package `contract`. The interactive explorer is on another page.
 */
export function Docs(options: ExampleOptions) {
  const operations = createAllCodeExamples(options);
  return (
    <PageFrame current="docs">
      <h1 className="text-4xl leading-tight font-bold text-balance sm:text-5xl">API reference</h1>
      <p className="mt-5 max-w-3xl text-lg text-ink-soft">
        Trust reports and histories of x402 endpoints, better-scored alternatives, a search by purpose, and
        alerts on one endpoint for 30 days, paid per call in USDC, without an account, API key or
        subscription. For programs: <a href="/openapi.json">OpenAPI 3.1</a> and{' '}
        <a href="/llms.txt">llms.txt</a>.
      </p>
      <div className="mt-12 space-y-16">
        <Section id="pay" title="How to pay">
          <HowToPay network={options.network} />
        </Section>
        <Section id="operations" title="Operations and prices">
          <OperationTable operations={operations.map(({ operation }) => operation)} />
          <p className="mt-4 max-w-3xl">
            The purchase of a watch returns its secret once. Operations that are free with this secret need it
            in the header <code>Authorization: Bearer</code>. <a href="/openapi.json">OpenAPI</a> also
            describes the signed messages that a watch sends to your webhooks.
          </p>
          <div className="mt-10 space-y-12">
            {operations.map(({ operation, examples }) => (
              <OperationSection key={operation.id} operation={operation} examples={examples} />
            ))}
          </div>
        </Section>
        <Section id={WATCH_MESSAGES_SECTION} title="Messages of watches">
          <WatchMessages />
        </Section>
        <Section id="errors" title="Errors">
          <p className="mt-4 max-w-3xl">
            Every error is <code>application/problem+json</code> (RFC 9457) with a stable <code>code</code>.
            Use the code in programs; the text may change.
          </p>
          <ProblemTable />
        </Section>
        <Section id="explorer-title" title="Explorer" className="print:hidden">
          <p className="mt-4 max-w-3xl">
            The <a href="/docs/explorer">API explorer</a> shows every field of every request and response, and
            can send requests. It needs JavaScript and a wide screen.
          </p>
        </Section>
      </div>
      <CopyScript />
    </PageFrame>
  );
}

function Section(props: {
  readonly id: string;
  readonly title: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <section aria-labelledby={props.id} className={props.className}>
      <h2 id={props.id} className="text-2xl font-bold sm:text-3xl">
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}

/** Formats the price of a free operation. Operations of a watch are free for its owner. */
function formatFree(security: Operations[number]['security']): string {
  return security === 'bearer' ? 'free with secret' : 'free';
}

type Operations = readonly ReturnType<typeof createAllCodeExamples>[number]['operation'][];

function OperationTable({ operations }: { readonly operations: Operations }) {
  return (
    <ScrollTable
      label="Table of prices"
      tableClassName="min-w-xl"
      columns={[
        ['Operation', 'pr-4'],
        ['Description', 'pr-4'],
        ['Price', 'text-right'],
      ]}
    >
      {operations.map(({ id, method, path, summary, priceUsd, security }) => (
        <tr key={id} className="border-b border-line align-top">
          <td className="py-2 pr-4 font-mono text-sm">
            {method} {path}
          </td>
          <th scope="row" className="py-2 pr-4 font-normal">
            <a href={`#${id}`}>{summary}</a>
          </th>
          <td className="py-2 text-right tabular-nums">
            {priceUsd === null ? formatFree(security) : formatUsd(priceUsd)}
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

/** Explains the messages of watches to a receiver that did not ask for them. */
function WatchMessages() {
  return (
    <div className="mt-4 max-w-3xl space-y-4">
      <p>
        A watch reports changes of one x402 endpoint to the URLs that its buyer entered. Each message names
        the watch. A URL is accepted if it responds to a test message with a 2xx status. All watches together
        send at most {MAX_DAILY_MESSAGES} messages in 24 hours to one domain, or to one chat of Slack or
        Discord. Events over this limit become one message, which counts as well.
      </p>
      <p>
        If you receive messages that you did not ask for, stop them in one of these ways. Each of them ends
        all messages to the URL, and its buyer learns it from the log of the watch.
      </p>
      <ul className="list-disc space-y-2 pl-6">
        <li>
          Respond with status <code>410</code>. This ends the messages to this URL at once.
        </li>
        <li>
          Serve a text file at <code>{REFUSAL_FILE.path}</code> of the same scheme, host and port, with the
          line <code>{REFUSAL_FILE.line}</code>. The file is read once a day, so the messages to all URLs of
          the host end within a day. New URLs of the host are refused.
        </li>
        <li>In Slack and Discord, delete the incoming webhook.</li>
      </ul>
    </div>
  );
}

/** Three steps of an x402 payment, and the headers of version 1. */
function HowToPay({ network }: { readonly network: string }) {
  return (
    <>
      <ol className="mt-4 max-w-3xl list-decimal space-y-3 pl-6">
        <li>
          <strong>Request.</strong> Call the operation without a payment. The response has status{' '}
          <code>402</code>. Its <code>PAYMENT-REQUIRED</code> header contains the price, the token and the
          recipient.
        </li>
        <li>
          <strong>Sign.</strong> Sign a transfer of this amount of USDC on {getNetworkName(network)}{' '}
          (EIP-3009). The signature costs no gas and does not move money yet. The x402 clients do this step
          for you.
        </li>
        <li>
          <strong>Pay.</strong> Send the request again with the signature in the{' '}
          <code>PAYMENT-SIGNATURE</code> header. The service first creates the result and then settles the
          payment; <code>PAYMENT-RESPONSE</code> names the transaction. An error with <code>notCharged</code>{' '}
          did not charge you.
        </li>
      </ol>
      <p className="mt-4 max-w-3xl">
        These headers are those of x402 version 2. In version 1, the challenge is in the body of the 402
        response, the payment in <code>X-PAYMENT</code> and the receipt in <code>X-PAYMENT-RESPONSE</code>.{' '}
        {CLIENTS_NOTE}
      </p>
      <p className="mt-4 max-w-3xl">{LOST_RESPONSE_NOTE}</p>
    </>
  );
}

/** Table of all API errors by error code. */
function ProblemTable() {
  return (
    <ScrollTable
      label="Table of errors"
      tableClassName="min-w-xl text-sm"
      columns={[
        ['Status', 'pr-4'],
        ['Code', 'pr-4'],
        ['Cause', ''],
      ]}
    >
      {Object.entries(PROBLEMS).map(([code, { status, description }]) => (
        <tr key={code} className="border-b border-line align-top">
          <td className="py-2 pr-4 tabular-nums">{status}</td>
          <th scope="row" className="py-2 pr-4 font-mono font-normal whitespace-nowrap">
            {code}
          </th>
          <td className="py-2">{description}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}
