import type { Snapshot } from '@touchstone/store';
import type { PropsWithChildren } from 'react';
import { formatLintCommand, isSimulatedHost } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { CodeBlock, CommandHint } from '../../page-parts/code-block.tsx';
import { createGuardExample, createGuardSetup } from '../mcp/guard-example.ts';
import { formatEndpointCurl, formatEndpointFetch } from './call-example.ts';
import { ClosedSection, type EndpointProps, Section } from './section.tsx';

interface UseProps extends EndpointProps {
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
}

/**
 * Call of the endpoint itself, without a payment in curl, and with a guarded payment in TypeScript. For an endpoint to
 * avoid, the section is closed at first and pays nothing.
 */
export function UseIt({ snapshot, baseUrl }: UseProps) {
  const isPaid = !['avoid', 'free'].includes(snapshot.recommendation);
  const curl = <CurlCall snapshot={snapshot} />;
  const guarded = isPaid ? <GuardedCall snapshot={snapshot} baseUrl={baseUrl} /> : null;
  const call = isSimulatedHost(snapshot.host) ? (
    <SimulatedCall snapshot={snapshot} baseUrl={baseUrl}>
      {curl}
      {guarded}
    </SimulatedCall>
  ) : (
    <>
      <p className="text-ink-soft">{describeResponse(snapshot)}</p>
      {curl}
      {guarded === null ? null : <Disclosure title="Pay with the guard (TypeScript)">{guarded}</Disclosure>}
    </>
  );
  return snapshot.recommendation === 'avoid' ? (
    <ClosedSection id="use" title="Call it without a payment" gist="Do not pay it at present">
      {call}
    </ClosedSection>
  ) : (
    <Section id="use" title="Use it">
      {call}
    </Section>
  );
}

/**
 * Call of a simulated endpoint, whose host has no address outside of the sandbox. The forms of a real endpoint are in a
 * section that can be opened.
 */
function SimulatedCall({ snapshot, baseUrl, children }: PropsWithChildren<UseProps>) {
  const { recommendation, resource } = snapshot;
  // The band says where its command runs.
  const hasCommandInBand = recommendation !== 'free' && recommendation !== 'avoid';
  return (
    <>
      <p className="text-ink-soft">
        {describeResponse(snapshot)} This endpoint is simulated, so only the command line reaches it
        {recommendation === 'unverified' ? ', with the command above.' : '.'}
        {hasCommandInBand ? null : <CommandHint baseUrl={baseUrl} />}
      </p>
      {recommendation === 'unverified' ? null : (
        <CodeBlock
          label="Call, command"
          code={formatLintCommand(baseUrl, quoteForShell(resource))}
          isWrapped
        />
      )}
      <Disclosure title="How to call a real endpoint">{children}</Disclosure>
    </>
  );
}

/** Call without a payment in curl, with the example of the provider. */
function CurlCall({ snapshot }: EndpointProps) {
  return (
    <>
      <p className="text-sm text-ink-soft">
        {snapshot.exampleRequest === null ? '' : 'The example values are an unverified claim. '}
        {snapshot.templated ? 'Replace each placeholder of the URL.' : ''}
      </p>
      <CodeBlock label="Call, curl" code={formatEndpointCurl(snapshot)} isWrapped />
    </>
  );
}

function Disclosure({ title, children }: PropsWithChildren<{ readonly title: string }>) {
  return (
    <details className="mt-2 border-y border-line">
      <summary className="cursor-pointer py-1.5 font-semibold">{title}</summary>
      <div className="pb-3">{children}</div>
    </details>
  );
}

/** Describes the response to a call without a payment, as the latest probes received it. */
function describeResponse({ recommendation, failingSince, lastFailure, isCompliant }: Snapshot): string {
  if (recommendation === 'free') return 'The endpoint returns its data without a payment.';
  if (failingSince !== null) {
    const status = lastFailure?.httpStatus ?? null;
    const received = status === null ? 'no payment challenge' : `status ${status} and no payment challenge`;
    return `At the latest probe, we received ${received}. Your machine can receive another response.`;
  }
  if (isCompliant === null)
    return 'No probe has received a payment challenge, which is a response with status 402.';
  return 'Without a payment, the endpoint responds with status 402 and its payment terms.';
}

/** Program that pays the endpoint, and checks each payment before. */
function GuardedCall({ snapshot, baseUrl }: UseProps) {
  return (
    <>
      <p className="mt-2 text-ink-soft">
        Checks each payment before it is signed. <a href="/mcp#guard">How the guard works</a>
      </p>
      <CodeBlock label="Install the guard" code={createGuardSetup(baseUrl)} isWrapped />
      <CodeBlock
        label="Call with the guard, TypeScript"
        code={`${createGuardExample(baseUrl)}\n\n${formatEndpointFetch(snapshot)}`}
      />
    </>
  );
}
