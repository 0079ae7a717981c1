import { formatUsd } from '@touchstone/common';
import { formatNetwork, toPlainText } from '@touchstone/ui';
import { Section } from '../../page-parts/section.tsx';
import { StateMark, type MarkKind } from '../../page-parts/state-mark.tsx';
import type { ShownCheck } from './load-check.ts';

type Client = ShownCheck['clients'][number];

const MAX_NAME_LENGTH = 60;

/** Reference clients that would pay, and the payment options that they read. */
export function CheckClients({ check: { clients, options } }: { readonly check: ShownCheck }) {
  if (clients.length === 0) return null;
  const isPaid = clients.some(({ arrives }) => arrives);
  return (
    <Section id="clients" title="Who pays" className="mt-10">
      <table className="mt-3 w-full max-w-4xl text-left">
        <thead className="text-sm text-ink-soft">
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pr-4">
              Client
            </th>
            <th scope="col" className="py-2 pr-4 max-sm:hidden">
              Option
            </th>
            <th scope="col" className="py-2">
              Result
            </th>
          </tr>
        </thead>
        <tbody>
          {clients.map((client, index) => (
            <ClientRow key={index} client={client} isPaidByOthers={isPaid} />
          ))}
        </tbody>
      </table>
      <p className="mt-2 max-w-3xl text-sm text-ink-soft">
        Computed from the response for the reference clients of x402 with default settings. No payment was
        sent.
      </p>
      <Options options={options} />
    </Section>
  );
}

/** @param props.isPaidByOthers True if a client pays the endpoint. */
function ClientRow({
  client,
  isPaidByOthers,
}: {
  readonly client: Client;
  readonly isPaidByOthers: boolean;
}) {
  const { version, scheme, network, reason, settings } = client;
  // Endpoints need not support both versions.
  const isUnsupported = network === null && isPaidByOthers;
  const [kind, word] = isUnsupported ? (['off', 'Not supported'] as const) : describeClient(client);
  const option =
    scheme === null || network === null ? (
      'none that it reads'
    ) : (
      <bdi>
        {toPlainText(scheme, MAX_NAME_LENGTH)} on {toPlainText(formatNetwork(network), MAX_NAME_LENGTH)}
      </bdi>
    );
  return (
    <tr className="border-b border-line align-top">
      <th scope="row" className="py-2.5 pr-4 font-normal">
        <span className="whitespace-nowrap">Version {version}</span>
        <span className="block text-sm text-ink-soft [overflow-wrap:anywhere] sm:hidden">{option}</span>
      </th>
      <td className="py-2.5 pr-4 [overflow-wrap:anywhere] max-sm:hidden">{option}</td>
      <td className="py-2.5">
        <StateMark kind={kind}>{word}</StateMark>
        {reason === null ? null : (
          <span className="block text-sm [overflow-wrap:anywhere] text-ink-soft">{toPlainText(reason)}</span>
        )}
        {settings.map((setting) => (
          <span key={setting} className="block text-sm [overflow-wrap:anywhere] text-ink-soft">
            The buyer must {toPlainText(setting)}.
          </span>
        ))}
      </td>
    </tr>
  );
}

function describeClient({ signs, arrives, settings }: Client): readonly [MarkKind, string] {
  if (!signs) return ['bad', 'Does not pay'];
  if (!arrives) return ['bad', 'Payment is lost'];
  return settings.length > 0 ? ['warn', 'Pays with a setting'] : ['good', 'Pays'];
}

function Options({ options }: Pick<ShownCheck, 'options'>) {
  if (options.length === 0) return null;
  return (
    <details className="mt-2 max-w-4xl">
      <summary className="cursor-pointer py-2">
        {options.length === 1 ? 'Payment terms' : `Payment terms: ${options.length} options`}, as advertised
      </summary>
      <ul className="border-b border-line">
        {options.map((option, index) => (
          <li key={index} className="border-t border-line py-2 [overflow-wrap:anywhere]">
            {formatPrice(option)} by {toPlainText(option.scheme, MAX_NAME_LENGTH)} on{' '}
            <bdi>{toPlainText(formatNetwork(option.network), MAX_NAME_LENGTH)}</bdi>, to{' '}
            <bdi className="font-mono text-sm">{toPlainText(option.payTo, 120)}</bdi>
            {option.maxTimeoutSeconds === null ? null : (
              <span className="text-ink-soft">, valid for {option.maxTimeoutSeconds} s</span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function formatPrice({ amountUsd, amount, assetSymbol, asset }: ShownCheck['options'][number]): string {
  const token = toPlainText(assetSymbol ?? asset, MAX_NAME_LENGTH);
  return amountUsd === null
    ? `${amount ?? 'an unreadable amount of'} atomic units of ${token}`
    : `${formatUsd(amountUsd)} in ${token}`;
}
