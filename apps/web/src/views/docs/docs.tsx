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
import { type ExampleOptions, createAllCodeExamples } from '../../operations/documents/code-examples.ts';
import { formatChallenge } from '../../operations/documents/format-challenge.ts';
import { CodeBlock, CopyScript } from '../../page-parts/code-block.tsx';
import { Section } from '../../page-parts/section.tsx';
import { CodedText } from './coded-text.tsx';
import { Contents } from './contents.tsx';
import { type DocsTask, listTasks } from './list-entries.ts';
import { OperationSection } from './operation-section.tsx';

/** Sections of the page before and after the operations. */
const SECTIONS = [
  ['start', 'First call, free'],
  ['pay', 'How to pay'],
  ['errors', 'Errors'],
  [WATCH_MESSAGES_SECTION, 'Messages of watches'],
] as const;

/** Operation of the first call. */
const FIRST_OPERATION = 'findEndpointSummary';

interface Props extends ExampleOptions {
  /** Wallet that receives payments; null if payments are disabled. */
  readonly payTo: string | null;
}

/**
 * API reference: a free first call, payment steps, every operation with its price and examples, and every error. The page is generated
 * from `OPERATIONS` of the package `contract`.
 */
export function Docs({ payTo, ...options }: Props) {
  const tasks = listTasks(createAllCodeExamples(options));
  return (
    <PageFrame current="docs">
      <h1>API reference</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        Know before a payment whether an x402 endpoint deserves it. The summary of an endpoint and all pages
        are free. A paid call adds what they leave out: the reasons with their evidence, each probe and change
        of 90 days, ranked alternatives, a search by purpose for programs, and alerts. It is paid in USDC,
        without an account, API key or subscription. For programs: <a href="/openapi.json">OpenAPI 3.1</a> and{' '}
        <a href="/llms.txt">llms.txt</a>.
      </p>
      <div className="lg:mt-12 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-x-10">
        <Contents tasks={tasks} sections={SECTIONS} />
        <div className="mt-12 space-y-16 lg:mt-0">
          <Section id="start" title="First call, free">
            <FirstCall tasks={tasks} />
          </Section>
          <Section id="pay" title="How to pay">
            <HowToPay network={options.network} />
          </Section>
          {tasks.map(({ id, title, description, entries }) => (
            <Section key={id} id={id} title={title}>
              <p className="mt-4 max-w-3xl">{description}</p>
              {id === 'watch' ? <WatchSecret /> : null}
              <div className="mt-8 space-y-12">
                {entries.map((entry) => (
                  <OperationSection
                    key={entry.operation.id}
                    entry={entry}
                    challenge={formatChallenge(entry.operation, {
                      baseUrl: options.baseUrl,
                      network: options.network,
                      payTo,
                    })}
                  />
                ))}
              </div>
            </Section>
          ))}
          <Section id="errors" title="Errors">
            <p className="mt-4 max-w-3xl">
              Every error is <code>application/problem+json</code> (RFC 9457) with a stable <code>code</code>.
              Use the code in programs; the text may change.
            </p>
            <ProblemList />
          </Section>
          <Section id={WATCH_MESSAGES_SECTION} title="Messages of watches">
            <WatchMessages />
          </Section>
        </div>
      </div>
      <CopyScript />
      <script src="/docs.js" defer />
    </PageFrame>
  );
}

/** Request of the free summary. */
function FirstCall({ tasks }: { readonly tasks: readonly DocsTask[] }) {
  const entry = tasks
    .flatMap(({ entries }) => entries)
    .find(({ operation }) => operation.id === FIRST_OPERATION);
  if (entry === undefined) throw new Error(`No entry has the operation ${FIRST_OPERATION}`);
  return (
    <div className="max-w-3xl">
      <p className="mt-4">
        Replace the URL, and run the command. The response says whether to pay the endpoint, with its grade,
        uptime, latency and price, and is signed. <a href={`#${FIRST_OPERATION}`}>All about this call</a>
      </p>
      <CodeBlock label="First call, in curl" code={entry.examples[0]?.code ?? ''} isWrapped />
    </div>
  );
}

function WatchSecret() {
  return (
    <p className="mt-4 max-w-3xl">
      The purchase of a watch returns its secret once. Operations that are free with this secret need it in
      the header <code>Authorization: Bearer</code>. <a href="/openapi.json">OpenAPI</a> also describes the
      signed messages that a watch sends to your webhooks.
    </p>
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
          payTo address.
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
      <details className="mt-4 max-w-3xl">
        <summary className="cursor-pointer py-1 font-semibold">Version 1, and lost responses</summary>
        <p className="mt-2">
          These headers are those of x402 version 2. In version 1, the challenge is in the body of the 402
          response, the payment in <code>X-PAYMENT</code> and the receipt in <code>X-PAYMENT-RESPONSE</code>.{' '}
          {CLIENTS_NOTE}
        </p>
        <p className="mt-4">{LOST_RESPONSE_NOTE}</p>
      </details>
    </>
  );
}

/** List of all API errors. The error of each code has an id, so that operations can link to it. */
function ProblemList() {
  return (
    <dl className="mt-6 max-w-4xl">
      {Object.entries(PROBLEMS).map(([code, { status, description }]) => (
        <div
          key={code}
          id={`error-${code}`}
          className="scroll-mt-6 border-t border-line py-3 target:bg-panel sm:grid sm:grid-cols-[17rem_minmax(0,1fr)] sm:gap-x-4"
        >
          <dt className="font-mono text-sm leading-6">
            {status} <strong>{code}</strong>
          </dt>
          <dd className="text-sm leading-6 wrap-anywhere">
            <CodedText text={description} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
