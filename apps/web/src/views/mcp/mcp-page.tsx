import { formatUsd } from '@touchstone/common';
import { MCP_PATH, PAYMENT_META, PAYMENT_RESPONSE_META, TOOLS, type Tool } from '@touchstone/contract';
import { PageFrame } from '@touchstone/ui';
import { formatCliCommand, isOnThisMachine } from '../../operations/documents/cli-command.ts';
import { CodeBlock, COMMANDS_SECTION, CopyScript, InlineCommand } from '../../page-parts/code-block.tsx';
import { Section } from '../../page-parts/section.tsx';
import { ScrollTable } from '../../page-parts/scroll-table.tsx';
import { type ClientSetup, createClientSetups } from './client-setups.ts';
import { createGuardExample, createGuardSetup } from './guard-example.ts';

/**
 * Page that explains how to connect an agent: setups of common MCP clients, the tools with their prices, payments, and
 * the check before a payment.
 *
 * @param props.baseUrl Public origin of the service, without a path.
 */
export function McpPage({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <PageFrame current="mcp">
      <h1>Connect an agent</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        Touchstone is an MCP server. With it, your agent checks an x402 endpoint before it pays, finds a
        better one, and reports changes. You need no account and no API key.
      </p>
      <div className="mt-4 max-w-3xl">
        <CodeBlock label="URL of the MCP server" code={`${baseUrl}${MCP_PATH}`} isWrapped />
      </div>
      <div className="mt-12 space-y-16">
        <Section id="clients" title="Add it to your client">
          <Choice />
          <ClientSections setups={createClientSetups(baseUrl)} />
          <p className="mt-4 max-w-3xl">
            Then ask your agent: “Should I pay https://api.example.com/weather?” Clients with prompts also
            offer <code>should_i_pay</code>.
          </p>
        </Section>
        <Section id="tools" title="Tools and prices">
          <p className="mt-4 max-w-3xl">
            Each tool is one operation of the <a href="/docs">API</a>, with the same input, result and price.
            Prices are in US dollars and paid in USDC.
          </p>
          <ToolTable />
        </Section>
        <Section id="payments" title="How a call is paid">
          <Payments />
        </Section>
        <Section id="guard" title="Check before you pay">
          <Guard baseUrl={baseUrl} />
        </Section>
        {isOnThisMachine(baseUrl) ? (
          <Section id={COMMANDS_SECTION} title="Run the commands">
            <p className="mt-4 max-w-3xl">
              This service runs on your machine. Run each command of its pages in the folder of its
              repository. If the service was started with the variable <code>DATA_DIR</code>, set the same
              value for the command.
            </p>
          </Section>
        ) : null}
        <Section id="documents" title="For programs">
          <p className="mt-4 max-w-3xl">
            <a href="/.well-known/mcp/server-card.json">Server card</a>, <a href="/llms.txt">llms.txt</a> and{' '}
            <a href="/openapi.json">OpenAPI</a>. The server also has the{' '}
            <a href="/methodology">methodology</a> and all JSON schemas as MCP resources.
          </p>
        </Section>
      </div>
      <CopyScript />
    </PageFrame>
  );
}

function Choice() {
  return (
    <ul className="mt-4 max-w-3xl list-disc space-y-2 pl-6">
      <li>
        <strong>Remote</strong>: nothing to install. Free tools work in every client. A paid tool returns its
        price, and a client that supports x402 payments over MCP can pay it.
      </li>
      <li>
        <strong>Local</strong>: the command <code>touchstone mcp</code> runs on your computer and pays by
        itself, within limits that you set. It needs Node 20.18 or newer, and a wallet with USDC for paid
        tools.
      </li>
    </ul>
  );
}

function Payments() {
  return (
    <div className="mt-4 max-w-3xl space-y-4">
      <p>
        <strong>The local server</strong> pays from the private key in <code>TOUCHSTONE_KEY</code>. It pays
        only in USDC, at most <code className="whitespace-nowrap">--max-usd</code> per call and{' '}
        <code className="whitespace-nowrap">--max-total-usd</code> until it stops. Use a separate wallet that
        holds only what the agent may spend. Without a key, a paid tool returns its price and nothing is paid.
      </p>
      <p>
        <strong>The remote server</strong> follows the x402 transport for MCP. Clients of x402 versions 1 and
        2 can pay:
      </p>
      <ol className="list-decimal space-y-2 pl-6">
        <li>
          The client calls a paid tool. The result is an error whose structured content contains the price,
          the token and the payTo address.
        </li>
        <li>
          The client signs the payment and repeats the call with the payment in{' '}
          <code className="wrap-anywhere">_meta[&quot;{PAYMENT_META}&quot;]</code>.
        </li>
        <li>
          The result contains the report. The transaction is in{' '}
          <code className="wrap-anywhere">_meta[&quot;{PAYMENT_RESPONSE_META}&quot;]</code>. An error that
          says “Nothing was charged.” did not charge you.
        </li>
      </ol>
    </div>
  );
}

function Guard({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <>
      <p className="mt-4 max-w-3xl">
        If your own code pays, the guard checks each x402 payment before it is signed. It compares the wallet,
        token, network and price that the endpoint asks for with the ones that Touchstone observed, and
        applies your policy to the endpoint’s recommendation. The lookup is free and signed.
      </p>
      <div className="max-w-4xl">
        <CodeBlock label="Install the guard" code={createGuardSetup(baseUrl)} isWrapped />
        <CodeBlock label="Guard, in TypeScript" code={createGuardExample(baseUrl)} />
      </div>
      <p className="mt-4 max-w-3xl">
        A payment that should not be made throws <code>PaymentRefusedError</code> with the reasons. In a shell
        or in CI, <InlineCommand code={formatCliCommand(baseUrl, ['guard', 'URL'])} /> makes the same decision
        and returns it as the exit code.
      </p>
    </>
  );
}

/** One section for each client. A section opens without JavaScript, and at most one is open. */
function ClientSections({ setups }: { readonly setups: readonly ClientSetup[] }) {
  return (
    <div className="mt-4 border-b border-line">
      {setups.map((setup, index) => (
        <details
          key={setup.id}
          id={setup.id}
          name="client"
          open={index === 0}
          className="scroll-mt-6 border-t border-line"
        >
          <summary className="cursor-pointer py-3 text-lg font-semibold">{setup.name}</summary>
          <div className="grid gap-x-10 gap-y-6 pb-6 lg:grid-cols-2">
            <div className="min-w-0">
              <h3 className="text-base font-semibold">Remote, without a wallet</h3>
              <Sample setup={setup} kind="remote" />
              {setup.installLink === null ? null : (
                <p className="mt-3">
                  <a href={setup.installLink}>Add to {setup.name} with one click</a>
                </p>
              )}
            </div>
            <div className="min-w-0">
              <h3 className="text-base font-semibold">Local, pays from your wallet</h3>
              <Sample setup={setup} kind="local" />
            </div>
          </div>
        </details>
      ))}
    </div>
  );
}

function Sample({ setup, kind }: { readonly setup: ClientSetup; readonly kind: 'remote' | 'local' }) {
  const sample = setup[kind];
  return (
    <div className="mt-1">
      <p className="text-ink-soft">{sample.instruction}</p>
      <CodeBlock label={`${setup.name}, ${kind}`} code={sample.code} isWrapped={sample.language !== 'json'} />
    </div>
  );
}

/** Table of all tools with their titles and prices. */
function ToolTable() {
  return (
    <ScrollTable
      label="Table of tools"
      className="max-w-3xl"
      columns={[
        ['Tool', 'pr-4'],
        ['Price per call', 'text-right'],
      ]}
    >
      {TOOLS.map((tool) => (
        <tr key={tool.name} className="border-b border-line align-top">
          <th scope="row" className="py-2 pr-4 font-normal">
            <a href={`/docs#${tool.operations[0]?.id ?? ''}`}>{tool.title}</a>
            <span className="block font-mono text-sm break-all text-ink-soft">{tool.name}</span>
          </th>
          <td className="py-2 text-right tabular-nums">{formatToolPrice(tool)}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}

/** Formats the price of a tool. If a tool has several operations, the input determines the operation and its price. */
export function formatToolPrice({ operations }: Pick<Tool, 'operations'>): string {
  const prices = operations.flatMap(({ priceUsd }) => (priceUsd === null ? [] : [formatUsd(priceUsd)]));
  const [lowest] = prices;
  const highest = prices.at(-1);
  if (lowest === undefined || highest === undefined) {
    return operations.some(({ security }) => security === 'bearer') ? 'free with secret' : 'free';
  }
  return lowest === highest ? lowest : `${lowest} to ${highest}`;
}
