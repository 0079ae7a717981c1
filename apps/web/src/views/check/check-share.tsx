import { CodeBlock } from '../../page-parts/code-block.tsx';
import { Section } from '../../page-parts/section.tsx';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { CHECK_BADGE_SIZE } from '../pictures/create-badge.ts';
import { formatCheckQuery, type CheckParams } from './check-params.ts';
import type { ShownCheck } from './load-check.ts';
import { describeOutcome } from './outcomes.ts';

/** Ways to share and to repeat a check: permalink, JSON, MCP tool and badge. */
export function CheckShare({
  check,
  params,
  baseUrl,
}: {
  readonly check: ShownCheck;
  readonly params: CheckParams;
  readonly baseUrl: string;
}) {
  const query = formatCheckQuery({ ...params, problem: null, waitSeconds: null });
  const { url, method } = params;
  const body = JSON.stringify({ resource: url, ...(method === null ? {} : { method }) });
  const badge = `/badge/check.svg?${query}`;
  return (
    <Section id="share" title="Share it, or check from a program" className="mt-10">
      <div className="max-w-4xl">
        <p className="mt-2 text-ink-soft">Page of this check, for 24 hours:</p>
        <CodeBlock label="URL of this page" code={`${baseUrl}/check?${query}`} isWrapped />
        <p className="mt-3 text-ink-soft">
          The same as JSON, with <a href="/docs#checkEndpoint">POST /v1/check</a>, or with the tool{' '}
          <code>x402_check</code> over <a href="/mcp">MCP</a>:
        </p>
        <CodeBlock
          label="Check as JSON, with curl"
          code={`curl -s ${baseUrl}/v1/check -H 'content-type: application/json' -d ${quoteForShell(body)}`}
          isWrapped
        />
        <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-soft">
          <img
            src={badge}
            alt={`Badge: Touchstone check, ${describeOutcome(check).label}`}
            {...CHECK_BADGE_SIZE}
            loading="lazy"
          />
          Badge of the latest check, with its day, for an issue or a chat. It shows no result after 24 hours:
          in a README, use the badge of the endpoint’s page in the catalog.
        </p>
        <CodeBlock
          label="Badge, Markdown"
          code={`[![Touchstone check](${baseUrl}${badge})](${baseUrl}/check?${query})`}
          isWrapped
        />
      </div>
    </Section>
  );
}
