import { formatUsd } from '@touchstone/common';
import { trustReportOperation } from '@touchstone/contract/operations/trust-report/operation';
import { PageFrame, ResourceText } from '@touchstone/ui';
import { NO_PARAMS, toExploreUrl } from '../../interactive/explore/explore-params.ts';
import type { UnmonitoredUrl } from '../../interactive/explore/search-target.ts';
import { formatCliCommand, formatLintCommand } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { CodeBlock, CommandHint, CopyScript } from '../../page-parts/code-block.tsx';
import { Topic } from '../../page-parts/section.tsx';
import { SearchForm } from '../../page-parts/search-field.tsx';
import { toCheckPath } from '../check/check-params.ts';
import { toProviderPath } from '../../serving/known-pages/page-paths.ts';

/**
 * Page about a URL that is not monitored: what that means, and how to check the URL.
 *
 * @param props.baseUrl Public origin of the service, without a path.
 */
export function Unmonitored({ baseUrl, url }: { readonly baseUrl: string; readonly url: UnmonitoredUrl }) {
  const { resource, host, fault } = url;
  return (
    <PageFrame hasSearch>
      <h1>This URL is not monitored</h1>
      <p className="mt-4 font-mono text-lg">
        <ResourceText resource={resource} />
      </p>
      <p className="mt-4 max-w-2xl text-lg text-ink-soft">
        {fault === null
          ? 'No public directory lists the URL, and no report on it was bought. Touchstone has no measurements of it, and so no grade and no recommendation.'
          : `Touchstone cannot monitor the URL, because ${fault}.`}
      </p>
      {fault === null ? <Checks baseUrl={baseUrl} resource={resource} /> : null}
      <section aria-labelledby="find" className="mt-12">
        <h2 id="find">Find a monitored endpoint</h2>
        <ul className="mt-3 space-y-1">
          {host === null ? null : (
            <li>
              <a href={toProviderPath(host)} className="inline-block py-1 [overflow-wrap:anywhere]">
                All monitored endpoints of {host}
              </a>
            </li>
          )}
          <WordSearch resource={resource} />
        </ul>
        <div className="mt-6">
          <SearchForm query={resource} />
        </div>
      </section>
      <CopyScript />
    </PageFrame>
  );
}

/** Ways to check the URL: one free, one paid. */
function Checks({ baseUrl, resource }: { readonly baseUrl: string; readonly resource: string }) {
  const { id, priceUsd } = trustReportOperation;
  return (
    <div className="mt-10 grid gap-x-12 gap-y-10 lg:grid-cols-2">
      <Topic title="Check it live, free">
        <p>
          <a href={toCheckPath(resource)}>Check this URL now</a>: whether agents pay it, whether the money
          arrives, and what its seller should change. In a shell:
          <CommandHint baseUrl={baseUrl} />
        </p>
        <CodeBlock
          label="Command that checks the URL"
          code={formatLintCommand(baseUrl, quoteForShell(resource))}
          isWrapped
        />
      </Topic>
      <Topic title={`Buy the first report${priceUsd === null ? '' : ` for ${formatUsd(priceUsd)}`}`}>
        <p>
          A <a href={`/docs#${id}`}>trust report</a> probes the endpoint at once and adds it to the catalog.
          From then on, the endpoint is probed about every 30 minutes.
        </p>
        <CodeBlock
          label="Command that buys the report"
          code={formatCliCommand(baseUrl, ['buy', 'trust', quoteForShell(resource)])}
          isWrapped
        />
      </Topic>
    </div>
  );
}

/** Link to the search for the words of the URL, without its scheme. */
function WordSearch({ resource }: { readonly resource: string }) {
  const text = resource
    .replace(/^https?:/i, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (text === '') return null;
  return (
    <li>
      <a
        href={toExploreUrl({ ...NO_PARAMS, text, sort: 'relevance' })}
        className="inline-block py-1 [overflow-wrap:anywhere]"
      >
        Search for the words “{text}”
      </a>
    </li>
  );
}
