import type { ReactNode } from 'react';
import { formatCliCommand } from '../../docs/cli-command.ts';

/**
 * Three steps of a checked payment, for the developer of an agent.
 *
 * @param props.baseUrl Public origin of the service, without a path.
 */
export function Steps({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <section aria-labelledby="steps" className="mt-16">
      <h2 id="steps" className="text-2xl font-bold sm:text-3xl">
        How your agent uses it
      </h2>
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
          The <a href="/mcp#guard">guard</a> compares the price and the recipient with our measurements before
          you pay, in a shell or in your own code. It stops a payment that differs.
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
      <h3 className="text-xl font-bold">
        <span className="text-accent">{props.number}.</span> {props.title}
      </h3>
      <p className="mt-2 text-ink-soft">{props.children}</p>
      <p className="mt-3 overflow-x-auto border border-line bg-panel px-3 py-2 font-mono text-sm [overflow-wrap:anywhere]">
        {props.code}
      </p>
    </li>
  );
}
