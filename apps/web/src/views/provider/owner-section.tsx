import type { Snapshot } from '@touchstone/store';
import { formatVerdict } from '@touchstone/ui';
import { formatLintCommand } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { CodeBlock, CommandHint, CopyScript } from '../../page-parts/code-block.tsx';
import { toCheckPath } from '../check/check-params.ts';
import { ContactLink } from '../about/contact-link.tsx';
import { formatPath } from '../../serving/known-pages/page-paths.ts';
import { BADGE_SIZE } from '../pictures/create-badge.ts';
import type { Config } from '../../platform/config/config.ts';

interface Props {
  /** Endpoint in the command and the link; the first one of the page. */
  readonly snapshot: Pick<Snapshot, 'endpointId' | 'slug' | 'resource' | 'host' | 'grade' | 'recommendation'>;
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
  /** Contact of the operator; undefined if the configuration has none. */
  readonly contact: Config['apiContact'];
}

/** What the provider of a host can do: check its challenge, show a badge, and contact the operator of this site. */
export function OwnerSection({ snapshot, baseUrl, contact }: Props) {
  const { endpointId, slug, resource, host } = snapshot;
  return (
    <section aria-labelledby="owner" className="mt-14 max-w-3xl">
      <h2 id="owner">Is this yours?</h2>
      <p className="mt-3">
        <a href={toCheckPath(resource)}>Check an endpoint live</a>, free: whether agents pay, whether the
        money arrives, and the fix as code. In a shell:
        <CommandHint baseUrl={baseUrl} />
      </p>
      <CodeBlock
        label="Command that checks an endpoint"
        code={formatLintCommand(baseUrl, quoteForShell(resource))}
        isWrapped
      />
      <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <img
          src={`/badge/${endpointId}.svg`}
          alt={`Badge: Touchstone, ${formatVerdict(snapshot)}`}
          {...BADGE_SIZE}
          loading="lazy"
        />
        <span>
          Show the current recommendation and grade of an endpoint, here of{' '}
          <bdi className="[overflow-wrap:anywhere]">{formatPath(resource)}</bdi>, on your own pages:{' '}
          <a href={`/endpoint/${slug}#badge`}>code of the badge</a>, free.
        </span>
      </p>
      <p className="mt-3">
        <a href={`/claim?host=${encodeURIComponent(host)}`}>Claim this host</a>, free and without an account:
        state your view beside a failed rule, announce maintenance, have an endpoint probed after a repair, or
        opt out.
      </p>
      {contact === undefined ? null : (
        <p className="mt-3">
          To report a mistake without a claim, write to <ContactLink contact={contact} />.
        </p>
      )}
      <CopyScript />
    </section>
  );
}
