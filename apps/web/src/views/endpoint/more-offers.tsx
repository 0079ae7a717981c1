import { formatCount, formatUsd } from '@touchstone/common';
import { MAX_COUNTED_ALTERNATIVES, type Operation, WATCH_DAYS } from '@touchstone/contract';
import { formatCliCommand } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { historyOperation } from '@touchstone/contract/operations/history/operation';
import { similarOperation } from '@touchstone/contract/operations/similar/operation';
import { createWatchOperation } from '@touchstone/contract/operations/watch/operation';
import { createGuardExample, createGuardSetup } from '../mcp/guard-example.ts';
import { CodeBlock } from '../../page-parts/code-block.tsx';
import { type EndpointProps, Section } from './section.tsx';

/**
 * Section about the guard, a free check before a payment to the endpoint. It shows the guard as a command and in a
 * program.
 */
export function GuardOffer({ snapshot, baseUrl }: EndpointProps & { readonly baseUrl: string }) {
  const { resource, templated } = snapshot;
  return (
    <Section id="guard" title="Check before you pay">
      <p className="max-w-3xl text-ink-soft">
        The guard is free. It compares the wallet, token, network and price that this endpoint asks for now
        with the observed ones, and stops a payment that differs.
        {templated ? ' Replace each placeholder of the URL with a real value.' : ''}
      </p>
      <CodeBlock
        label="Guard, command"
        code={formatCliCommand(baseUrl, ['guard', quoteForShell(resource)])}
        isWrapped
      />
      <details className="mt-4 border-y border-line">
        <summary className="cursor-pointer py-2 font-semibold">In your own code (TypeScript)</summary>
        <div className="pb-4">
          <p className="text-ink-soft">
            Checks each payment before it is signed. <a href="/mcp#guard">How the guard works</a>
          </p>
          <CodeBlock label="Install the guard" code={createGuardSetup(baseUrl)} isWrapped />
          <CodeBlock label="Guard, in TypeScript" code={createGuardExample(baseUrl)} />
        </div>
      </details>
    </Section>
  );
}

/** Other paid operations on the endpoint: its history, alternatives to it, and a watch of it. */
export function MoreOffers({ snapshot }: EndpointProps) {
  return (
    <Section id="more" title="More about this endpoint">
      <ul className="-my-3 grid gap-x-8 sm:grid-cols-2 xl:grid-cols-3">
        <Offer
          operation={historyOperation}
          title="History"
          text="Each probe, and each change of price, payTo, network and asset, of the last 1 to 90 days."
        />
        <Offer
          operation={similarOperation}
          title="Alternatives"
          text={describeAlternatives(snapshot.betterAlternatives)}
        />
        <Offer
          operation={createWatchOperation}
          title={`Watch for ${WATCH_DAYS} days`}
          text="Probes this endpoint every 5 minutes. Reports a changed payment address, price, token or network, outages and delistings to your webhooks or chat."
          more={<a href="/watch">Open your watch</a>}
        />
      </ul>
    </Section>
  );
}

function Offer({
  operation: { id, method, path, priceUsd },
  title,
  text,
  more = null,
}: {
  readonly operation: Operation;
  readonly title: string;
  readonly text: string;
  readonly more?: React.ReactNode;
}) {
  return (
    <li className="py-3">
      <h3 className="flex items-baseline justify-between gap-4 font-semibold">
        {title}
        <span className="font-normal">{priceUsd === null ? 'free' : formatUsd(priceUsd)}</span>
      </h3>
      <p className="text-ink-soft">{text}</p>
      <p className="mt-1 flex flex-wrap gap-x-6 text-sm">
        <a href={`/docs#${id}`} className="font-mono [overflow-wrap:anywhere]">
          {method} {path}
        </a>
        {more}
      </p>
    </li>
  );
}

/**
 * Describes the list of better alternatives.
 *
 * @param count Number of alternatives; 10 means 10 or more, null means that the alternatives are not counted yet.
 */
function describeAlternatives(count: number | null): string {
  if (count === 0) return 'No similar endpoint of another host has a better score now.';
  const purpose = 'similar endpoints of other hosts with a better score, each with grade, price and network';
  if (count === null) return `A list of ${purpose}.`;
  if (count === 1)
    return 'The one similar endpoint of another host with a better score, with its grade and price.';
  return count >= MAX_COUNTED_ALTERNATIVES
    ? `At least ${formatCount(count)} ${purpose}.`
    : `${formatCount(count)} ${purpose}.`;
}
