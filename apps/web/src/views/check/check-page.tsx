import { PageFrame, ResourceText, toPlainText } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { formatLintCommand } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { CommandHint, CopyScript, InlineCommand } from '../../page-parts/code-block.tsx';
import { ErrorMessage } from '../../page-parts/form-parts.tsx';
import { CheckAgain, CheckBand } from './check-band.tsx';
import { CheckClients } from './check-clients.tsx';
import { CheckCodes } from './check-code.tsx';
import { CheckDetails } from './check-details.tsx';
import { CheckFaults } from './check-faults.tsx';
import { CheckForm } from './check-form.tsx';
import { CheckShare } from './check-share.tsx';
import type { CheckPageData, ShownCheck } from './load-check.ts';

interface Site {
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
}

/** Page with the empty form. */
export function CheckStart() {
  return (
    <PageFrame current="check">
      <h1>Check your x402 endpoint</h1>
      <p className="mt-3 max-w-3xl text-lg text-ink-soft">
        See what the clients of agents do at your endpoint: whether they pay, whether the money arrives, and
        what to change, as code. Free, without an account.
      </p>
      <CheckForm params={{ url: null, method: null }} />
    </PageFrame>
  );
}

/**
 * Page of one URL: its latest check, or the form with the reason why there is none.
 *
 * @param props.now Time of rendering, in milliseconds since the epoch.
 */
export function CheckPage({
  data,
  baseUrl,
  now,
}: Site & { readonly data: CheckPageData; readonly now: number }) {
  const { params, check, codes } = data;
  const message = <Message data={data} baseUrl={baseUrl} />;
  if (check === null || params.url === null) {
    return (
      <PageFrame current="check">
        <h1>Check your x402 endpoint</h1>
        {message}
        <CheckForm params={params} />
        <CopyScript />
      </PageFrame>
    );
  }
  return (
    <PageFrame current="check">
      <h1>Check of an x402 endpoint</h1>
      <p className="mt-2 text-lg">
        <ResourceText resource={toPlainText(check.resource, Number.POSITIVE_INFINITY)} />
      </p>
      {message}
      <CheckBand check={check} />
      <CheckAgain check={check} params={params} baseUrl={baseUrl} now={now} />
      <Notes notes={check.notes} />
      <CheckClients check={check} />
      <CheckFaults faults={check.faults} />
      <CheckCodes codes={codes} />
      <CheckDetails check={check} />
      <CheckShare check={check} params={params} baseUrl={baseUrl} />
      <section aria-labelledby="another" className="mt-12 border-t border-line pt-6">
        <h2 id="another">Check another endpoint</h2>
        <CheckForm params={params} />
      </section>
      <CopyScript />
    </PageFrame>
  );
}

function Notes({ notes }: Pick<ShownCheck, 'notes'>) {
  if (notes.length === 0) return null;
  return (
    <ul className="mt-4 max-w-4xl list-disc space-y-1 border-l-4 border-line py-1 pl-8">
      {notes.map((note) => (
        <li key={note} className="[overflow-wrap:anywhere]">
          {toPlainText(note)}
        </li>
      ))}
    </ul>
  );
}

/** Reason why the page shows no new check. */
function Message({ data, baseUrl }: Site & { readonly data: CheckPageData }): ReactNode {
  const { params, fault, ignored, check } = data;
  const texts = [
    ...(ignored.length === 0 ? [] : [`Not used, because the value is not valid: ${ignored.join(', ')}.`]),
    ...(fault === null ? [] : [`This URL cannot be checked, because ${fault}.`]),
  ];
  const hasProblem = fault === null && params.problem !== null;
  if (texts.length === 0 && !hasProblem) {
    if (check !== null) return null;
    return (
      <p className="mt-3 max-w-3xl text-lg text-ink-soft">
        This URL was not checked in the last 24 hours. This page sends it no request until you press the
        button.
      </p>
    );
  }
  return (
    <div className="mt-4 max-w-4xl">
      <ErrorMessage>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {hasProblem ? <Problem data={data} baseUrl={baseUrl} /> : null}
      </ErrorMessage>
    </div>
  );
}

function Problem({
  data: {
    params: { url, problem, waitSeconds },
    isRefused,
  },
  baseUrl,
}: Site & { readonly data: CheckPageData }) {
  if (problem === 'failed')
    return (
      <p>The check failed on our side, and says nothing about the endpoint. Send it again in a minute.</p>
    );
  return (
    <>
      <p>
        {problem === 'rate-limited'
          ? `Not checked: there were too many checks, of this host or from your address. Send it again in ${waitSeconds ?? 60} seconds.`
          : `Not checked: ${isRefused ? 'the provider of this endpoint asked us to send it no requests' : 'this service could not send a request to this URL'}.`}
      </p>
      <p className="mt-1">
        From your own machine, without a limit:{' '}
        <InlineCommand code={formatLintCommand(baseUrl, quoteForShell(url ?? 'URL'))} />
        <CommandHint baseUrl={baseUrl} />
      </p>
    </>
  );
}
