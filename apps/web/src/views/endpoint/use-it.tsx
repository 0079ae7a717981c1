import { createGuardExample, createGuardSetup } from '../mcp/guard-example.ts';
import { CodeBlock } from '../../page-parts/code-block.tsx';
import { formatEndpointCurl, formatEndpointFetch } from './call-example.ts';
import { type EndpointProps, Section } from './section.tsx';

interface UseProps extends EndpointProps {
  /** Public origin of the service, without a path. */
  readonly baseUrl: string;
}

/** Call of the endpoint itself, without a payment in curl, and with a guarded payment in TypeScript. */
export function UseIt({ snapshot, baseUrl }: UseProps) {
  const { exampleRequest, recommendation, templated } = snapshot;
  return (
    <Section id="use" title="Use it">
      <p className="text-ink-soft">
        {recommendation === 'free'
          ? 'The endpoint returns its data without a payment.'
          : 'Without a payment, the response should have status 402.'}
        {exampleRequest === null ? '' : ' The example values are an unverified claim.'}
        {templated ? ' Replace each placeholder of the URL.' : ''}
      </p>
      <CodeBlock label="Call, curl" code={formatEndpointCurl(snapshot)} isWrapped />
      {recommendation === 'free' ? null : <GuardedCall snapshot={snapshot} baseUrl={baseUrl} />}
    </Section>
  );
}

/** Program that pays the endpoint, and checks each payment before. */
function GuardedCall({ snapshot, baseUrl }: UseProps) {
  return (
    <details className="mt-2 border-y border-line">
      <summary className="cursor-pointer py-1.5 font-semibold">Pay with the guard (TypeScript)</summary>
      <div className="pb-3">
        <p className="text-ink-soft">
          Checks each payment before it is signed. <a href="/mcp#guard">How the guard works</a>
        </p>
        <CodeBlock label="Install the guard" code={createGuardSetup(baseUrl)} isWrapped />
        <CodeBlock
          label="Call with the guard, TypeScript"
          code={`${createGuardExample(baseUrl)}\n\n${formatEndpointFetch(snapshot)}`}
        />
      </div>
    </details>
  );
}
