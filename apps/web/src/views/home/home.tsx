import { formatUsd } from '@touchstone/common';
import type { Category, Ecosystem, EcosystemEvent, ListedSnapshot } from '@touchstone/store';
import { PageFrame } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { formatCliCommand, formatLintCommand } from '../../operations/documents/cli-command.ts';
import { trustReportOperation } from '@touchstone/contract/operations/trust-report/operation';
import { CommandHint, InlineCommand, keepOptionsWhole } from '../../page-parts/code-block.tsx';
import { SearchForm } from '../../page-parts/search-field.tsx';
import { CategoryLinks } from '../category/category-links.tsx';
import { LiveFigures, NewestEvents, TopEndpoints } from './live-sections.tsx';

/** Number of endpoints and of events on the front page. */
const LIST_LENGTH = 5;

/** Front page: purpose of the service, search, live figures, use by agents, newest events and best endpoints. */
export function Home({
  baseUrl,
  ecosystem,
  best,
  events,
  categories,
}: {
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
  readonly ecosystem: Ecosystem;
  /** Endpoints with the best scores, best first. */
  readonly best: readonly ListedSnapshot[];
  /** Newest events, newest first. */
  readonly events: readonly EcosystemEvent[];
  /** Categories, the largest first. */
  readonly categories: readonly Category[];
}) {
  return (
    <PageFrame current="home" hasSearch>
      <Hero />
      <LiveFigures ecosystem={ecosystem} />
      <Steps baseUrl={baseUrl} />
      <div className="mt-16 grid gap-x-16 gap-y-16 lg:grid-cols-2">
        <NewestEvents events={events.slice(0, LIST_LENGTH)} />
        {best.length === 0 ? null : <TopEndpoints snapshots={best.slice(0, LIST_LENGTH)} />}
      </div>
      <CategoryLinks title="Find APIs by category" categories={categories} />
      <Audiences baseUrl={baseUrl} />
    </PageFrame>
  );
}

function Hero() {
  return (
    <div className="mx-auto max-w-3xl sm:pt-4 sm:text-center">
      <h1>Check an x402 endpoint before you pay</h1>
      <p className="mt-4 text-lg text-balance text-ink-soft sm:mt-5 sm:text-xl">
        x402 endpoints are APIs that charge for each call. Programs pay them in USDC, without an account.
        Touchstone tests them about every 30 minutes. Its recommendation says whether to pay, and its grade
        from A to F how well an endpoint works.
      </p>
      <div className="mx-auto mt-7 max-w-2xl text-left">
        <SearchForm />
      </div>
    </div>
  );
}

/**
 * Three steps of a checked payment, for the developer of an agent.
 *
 * @param props.baseUrl Public origin of the service, without a path.
 */
function Steps({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <section aria-labelledby="steps" className="mt-16">
      <h2 id="steps">How your agent uses it</h2>
      <ol className="mt-6 grid gap-x-10 gap-y-8 lg:grid-cols-3">
        <Step number={1} title="Check" code="GET /v1/x402-summary?resource=URL">
          Request the <a href="/docs#findEndpointSummary">free summary</a> of an endpoint: grade,
          recommendation, uptime, latency and price, signed.
        </Step>
        <Step number={2} title="Decide" code={'"recommendation": "proceed"'}>
          One word per endpoint, such as proceed or avoid, from a <a href="/methodology">published formula</a>
          . No language model is involved.
        </Step>
        <Step number={3} title="Pay safely" code={formatCliCommand(baseUrl, ['guard', 'URL'])}>
          The <a href="/mcp#guard">guard</a> compares the price and the payTo address with our measurements
          before you pay, in a shell or in your own code. It stops a payment that differs.
          <CommandHint baseUrl={baseUrl} />
        </Step>
      </ol>
    </section>
  );
}

function Step(props: {
  readonly number: number;
  readonly title: string;
  readonly code: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="border-t-2 border-gold pt-4">
      <h3>
        <span className="text-accent">{props.number}.</span> {props.title}
      </h3>
      <p className="mt-2 text-ink-soft">{props.children}</p>
      <p className="mt-3 overflow-x-auto border border-line bg-panel px-3 py-2 font-mono text-sm [overflow-wrap:anywhere]">
        {keepOptionsWhole(props.code)}
      </p>
    </li>
  );
}

/**
 * Offers for payers, developers of agents, and providers.
 *
 * @param props.baseUrl Public origin of the service, without a path.
 */
function Audiences({ baseUrl }: { readonly baseUrl: string }) {
  const { id, priceUsd } = trustReportOperation;
  return (
    <section aria-labelledby="audiences" className="mt-16">
      <h2 id="audiences">For payers, agents and providers</h2>
      <div className="mt-6 grid gap-6 lg:grid-cols-3">
        <Audience title="You pay for API calls">
          <p>
            Every recommendation and grade on this site is free. A <a href={`/docs#${id}`}>trust report</a>
            {priceUsd === null ? '' : ` for ${formatUsd(priceUsd)}`} adds the reasons and the evidence.
          </p>
          <p>
            A <a href="/watch">watch</a> alerts you when an endpoint goes down or changes its price or payTo
            address.
          </p>
        </Audience>
        <Audience title="You build an agent">
          <p>
            <a href="/mcp">Connect it over MCP</a>. It needs no account and no API key.
          </p>
          <p>
            Programs read <a href="/llms.txt">llms.txt</a> and <a href="/openapi.json">OpenAPI</a>.
          </p>
        </Audience>
        <Audience title="You run an endpoint">
          <p>
            <a href="/explore">Find your endpoint</a>. Its page has a badge for your readme that always shows
            the current grade.
          </p>
          <p>
            <a href="/check">Check your endpoint live</a>, for free: whether agents pay it, whether the money
            arrives, and the fix as code. In a shell:{' '}
            <InlineCommand code={formatLintCommand(baseUrl, 'URL')} />.
          </p>
        </Audience>
      </div>
    </section>
  );
}

function Audience({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="border border-line bg-panel p-5 sm:p-6">
      <h3>{title}</h3>
      <div className="mt-3 space-y-3 text-ink-soft">{children}</div>
    </div>
  );
}
