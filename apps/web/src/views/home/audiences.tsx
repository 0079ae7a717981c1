import { formatUsd } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { formatLintCommand } from '../../docs/cli-command.ts';
import { requireOperation } from '../../operations/require-operation.ts';

/**
 * Offers for payers, developers of agents, and providers.
 *
 * @param props.baseUrl Public origin of the service, without a path.
 */
export function Audiences({ baseUrl }: { readonly baseUrl: string }) {
  const { id, priceUsd } = requireOperation('/v1/x402-trust');
  return (
    <section aria-labelledby="audiences" className="mt-16">
      <h2 id="audiences" className="text-2xl font-bold sm:text-3xl">
        For payers, agents and providers
      </h2>
      <div className="mt-6 grid gap-6 lg:grid-cols-3">
        <Audience title="You pay for API calls">
          <Offer>
            Every verdict on this site is free. A <a href={`/docs#${id}`}>trust report</a>
            {priceUsd === null ? '' : ` for ${formatUsd(priceUsd)}`} adds the reasons and the evidence.
          </Offer>
          <Offer>
            A <a href="/watch">watch</a> alerts you when an endpoint goes down or changes its price or
            recipient.
          </Offer>
        </Audience>
        <Audience title="You build an agent">
          <Offer>
            <a href="/mcp">Connect it over MCP</a>. It needs no account and no API key.
          </Offer>
          <Offer>
            Programs read <a href="/llms.txt">llms.txt</a> and <a href="/openapi.json">OpenAPI</a>.
          </Offer>
        </Audience>
        <Audience title="You run an endpoint">
          <Offer>
            <a href="/explore">Find your endpoint</a>. Its page has a badge for your readme that always shows
            the current grade.
          </Offer>
          <Offer>
            Check your payment challenge for free:{' '}
            <code className="text-sm [overflow-wrap:anywhere]">{formatLintCommand(baseUrl, 'URL')}</code>
          </Offer>
        </Audience>
      </div>
    </section>
  );
}

function Audience({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="border border-line bg-panel p-5 sm:p-6">
      <h3 className="text-xl font-bold">{title}</h3>
      <div className="mt-3 space-y-3">{children}</div>
    </div>
  );
}

function Offer({ children }: { readonly children: ReactNode }) {
  return <p className="text-ink-soft">{children}</p>;
}
