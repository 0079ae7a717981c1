import type { Snapshot } from '@touchstone/store';
import { PageFrame, toPlainText, ResourceText, toWebLink } from '@touchstone/ui';
import { EndpointFigures } from './endpoint-figures.tsx';
import { EndpointNotices } from './endpoint-notices.tsx';
import { EndpointVerdict } from './endpoint-verdict.tsx';
import { PayOnLines } from './pay-on-lines.tsx';
import { WatchOffer } from './watch-offer.tsx';

interface EndpointReportProps {
  readonly snapshot: Snapshot;
  /** Location from which latency is measured. */
  readonly vantage: string;
}

/**
 * Summary page of one endpoint: verdict and headline figures. The reasons for the verdict are only in the paid report.
 */
export function EndpointReport({ snapshot, vantage }: EndpointReportProps) {
  return (
    <PageFrame>
      <nav aria-label="Breadcrumb" className="text-sm text-ink-soft">
        <ol className="flex flex-wrap gap-x-2">
          <li>
            <a href="/">Touchstone</a> <span aria-hidden="true">/</span>
          </li>
          <li>
            <a href="/trust/leaderboard">Endpoints</a> <span aria-hidden="true">/</span>
          </li>
          <li aria-current="page">{snapshot.host}</li>
        </ol>
      </nav>
      <ResourceHeading snapshot={snapshot} />
      <EndpointNotices snapshot={snapshot} />
      <EndpointVerdict snapshot={snapshot} />
      <EndpointFigures snapshot={snapshot} vantage={vantage} />
      <PayOnLines payOn={snapshot.payOn} />
      <Claim snapshot={snapshot} />
      <Reasons />
      <WatchOffer />
    </PageFrame>
  );
}

/**
 * URL and HTTP method of the endpoint. The URL is untrusted, so the link has `nofollow`, and only an http(s) URL is
 * linked.
 */
function ResourceHeading({ snapshot: { resource, method, templated } }: { readonly snapshot: Snapshot }) {
  const link = templated ? null : toWebLink(resource);
  return (
    <div className="mt-4">
      <h1 className="text-xl leading-snug font-semibold sm:text-2xl">
        <ResourceText resource={resource} />
      </h1>
      <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-ink-soft">
        {method === null ? null : <span>HTTP method: {method}</span>}
        {link === null ? null : (
          <a href={link} rel="nofollow ugc noopener">
            Open the endpoint
          </a>
        )}
      </p>
    </div>
  );
}

function Claim({ snapshot: { serviceName, description } }: { readonly snapshot: Snapshot }) {
  if (serviceName === null && description === null) return null;
  return (
    <section aria-labelledby="claim" className="mt-12 max-w-3xl">
      <h2 id="claim" className="text-2xl font-bold">
        Provider description
      </h2>
      <p className="mt-1 text-sm text-ink-soft">This is an unverified claim by the provider.</p>
      <blockquote className="mt-4 border-l-4 border-line pl-4 [overflow-wrap:anywhere]">
        {serviceName === null ? null : (
          <p className="font-semibold">
            <bdi>{toPlainText(serviceName, 200)}</bdi>
          </p>
        )}
        {description === null ? null : (
          <p>
            <bdi>{toPlainText(description, 2000)}</bdi>
          </p>
        )}
      </blockquote>
    </section>
  );
}

function Reasons() {
  return (
    <section aria-labelledby="reasons" className="mt-12 max-w-3xl">
      <h2 id="reasons" className="text-2xl font-bold">
        Reasons for this verdict
      </h2>
      <p className="mt-2 text-ink-soft">
        This page is a free snapshot with the verdict and the headline figures. The paid{' '}
        <a href="/docs#getTrustReport">trust report</a> has the components of the score, and each flag with
        its evidence.
      </p>
      <p className="mt-2">
        <a href="/methodology">How the score works</a>
      </p>
    </section>
  );
}
