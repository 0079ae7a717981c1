import { formatUsd } from '@touchstone/common';
import {
  MAX_DELIVERY_URLS,
  WATCH_ALERTS,
  WATCH_DAYS,
  type WatchedState,
  watchEventsSchema,
} from '@touchstone/contract';
import { createWatchOperation, watchEventsOperation } from '@touchstone/contract/operations/watch/operation';
import { formatCliCommand } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { CodeBlock, CommandHint, InlineCommand } from '../../page-parts/code-block.tsx';

/**
 * Offer of a watch: price, a command that buys a watch, a sample alert and the types of alerts.
 *
 * @param props.baseUrl Public origin of the service.
 * @param props.resource URL of the endpoint in the command.
 */
export function WatchLanding({ baseUrl, resource }: { readonly baseUrl: string; readonly resource: string }) {
  const { id, method, path, priceUsd } = createWatchOperation;
  const price = priceUsd === null ? 'free' : formatUsd(priceUsd);
  return (
    <section aria-labelledby="landing-title" className="min-w-0">
      <h2 id="landing-title">
        {price} for {WATCH_DAYS} days
      </h2>
      <p className="mt-3 text-ink-soft">
        Paid once in USDC, without an account. Alerts arrive at your webhook, Slack or Discord, or you read
        them with the secret of the watch. Replace the URL in the command.
        <CommandHint baseUrl={baseUrl} />
      </p>
      <CodeBlock
        label="Command that buys a watch"
        code={formatCliCommand(baseUrl, ['watch', 'create', quoteForShell(resource)])}
        isWrapped
      />
      <p className="mt-2 text-sm text-ink-soft">
        To receive the alerts, add <InlineCommand code="--webhook URL" /> for signed messages to your own
        HTTPS endpoint, or <InlineCommand code="--slack URL" /> for an incoming webhook of Slack or Discord.
        At most {MAX_DELIVERY_URLS} URLs of each kind are accepted, and each must respond to a test message
        before you pay. From a program:{' '}
        <a href={`/docs#${id}`}>
          {method} {path}
        </a>
        .
      </p>
      <SampleAlert />
      <h3 className="mt-6 text-base font-semibold">Alerts</h3>
      <ul className="mt-1 list-disc pl-6 text-ink-soft">
        {Object.entries(WATCH_ALERTS).map(([type, { title }]) => (
          <li key={type}>{title}</li>
        ))}
      </ul>
    </section>
  );
}

/** Alert of the API examples. Its endpoint does not exist. */
function SampleAlert() {
  const [alert] = watchEventsSchema.parse(watchEventsOperation.response.example).events;
  if (alert === undefined) return null;
  const { type, severity, endpoint, data } = alert;
  return (
    <figure className="mt-6">
      <figcaption className="font-semibold">Sample alert</figcaption>
      <div className="mt-2 border-l-4 border-bad bg-panel px-4 py-3 wrap-anywhere">
        <p className="font-semibold">
          <span className="text-bad">{severity}</span>: {WATCH_ALERTS[type].headline}
        </p>
        <p className="font-mono text-sm">{endpoint}</p>
        <p className="mt-1">{data.summary}</p>
        <dl className="mt-2 text-sm">
          {(['before', 'after'] as const).map((name) => (
            <div key={name} className="flex gap-x-3">
              <dt className="w-14 shrink-0 text-ink-soft">{name}</dt>
              <dd className="min-w-0 font-mono">{findPayTo(data[name])}</dd>
            </div>
          ))}
        </dl>
      </div>
    </figure>
  );
}

function findPayTo(state: WatchedState | undefined): string {
  const options = state && 'options' in state ? state.options : [];
  return options[0]?.pay_to ?? 'not known';
}
