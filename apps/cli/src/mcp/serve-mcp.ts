import { pipeline } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createMcpServerFactory } from '@touchstone/mcp';
import type { Command } from 'commander';
import { findService, KEY_VARIABLE, readAmount, readNetwork } from '../buy/buy-settings.ts';
import { CliError, type CommandTools, type Host, VERSION } from '../command-tools.ts';
import { assertOneService, type ServiceOptions } from '../service/service-options.ts';
import { findStateFolder } from '../state-files.ts';
import { formatUsdc } from '../terminal/text.ts';
import { connectService, type McpSettings } from './call-service.ts';
import { correctMessages } from './correct-messages.ts';
import { storeResult } from './stored-results.ts';

interface McpOptions extends ServiceOptions {
  readonly maxUsd: string;
  readonly maxTotalUsd: string;
  readonly maxCalls: string;
  readonly network?: readonly string[];
}

/** Reads the options of `touchstone mcp`. @throws CliError for an invalid option */
function readMcpSettings(command: Command, { env }: Pick<Host, 'env'>): McpSettings {
  assertOneService(command);
  const { network, ...options } = command.optsWithGlobals<McpOptions>();
  const found = findService(options, env);
  return {
    ...found,
    networks: (network ?? [found.defaultNetwork]).map(readNetwork),
    limits: {
      perCall: readAmount('--max-usd', options.maxUsd),
      total: readAmount('--max-total-usd', options.maxTotalUsd),
      calls: readCalls(options.maxCalls),
    },
    hasWallet: found.isSandbox || (env[KEY_VARIABLE]?.trim() ?? '') !== '',
  };
}

function readCalls(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new CliError(`--max-calls must be a whole number from 0 to 999999; received ${text}.`);
}

/**
 * Serves MCP on standard input and output. Returns when standard input ends. Calls in progress are then aborted; signed
 * payments stay stored.
 *
 * @throws CliError for an invalid option
 */
export async function serveMcp(command: Command, tools: CommandTools): Promise<void> {
  const { host, printMessage } = tools;
  const settings = readMcpSettings(command, host);
  const connection = connectService(settings, tools);
  const walletProblem = settings.hasWallet ? findWalletProblem(settings) : null;
  const factory = createMcpServerFactory({
    baseUrl: settings.service.origin,
    version: VERSION,
    send: connection.send,
    readText: connection.readText,
    storeWhole: ({ tool: { name } }, body) =>
      Promise.resolve(storeResult(body, { stateFolder: findStateFolder(host.env), name, now: Date.now() })),
    payHint: () => createPayHint(settings),
    ...(settings.hasWallet ? { paymentInstruction: createPaymentInstruction(settings, walletProblem) } : {}),
  });
  // The transport reports an error of standard input, which also ends `messages`.
  const messages = pipeline(host.stdin, correctMessages(), () => undefined);
  const transport = new StdioServerTransport(messages, host.stdout);
  serveStdio(factory, {
    transport,
    // The message of the error is left out, because it can quote the received text, which may contain secrets.
    onerror: ({ name }) => printMessage(`An MCP message could not be read or sent (${name}).`),
  });
  const closed = waitForClose(transport);
  printMessage(describeServer(settings, walletProblem));
  await closed;
  // Without this call, an open standard input would keep the process alive after standard output is closed.
  messages.destroy();
  await connection.waitUntilIdle();
}

/**
 * Waits until the transport is closed. Call `waitForClose` after `serveStdio`, because `serveStdio` replaces the
 * listener for the end of the connection.
 */
async function waitForClose(transport: StdioServerTransport): Promise<void> {
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

function describeServer(
  { service, networks, limits, ...wallet }: McpSettings,
  walletProblem: string | null,
): string {
  const start = `MCP server for ${service.origin}, on standard input and output.`;
  if (!wallet.hasWallet) return `${start} ${KEY_VARIABLE} is not set, so paid tools return their quote.`;
  if (walletProblem !== null) return `${start} It cannot pay: ${walletProblem}`;
  return (
    `${start} It pays at most ${formatUsdc(limits.perCall)} per call, ${formatUsdc(limits.total)} in total ` +
    `and ${String(limits.calls)} times, on ${networks.join(', ')}, from ${wallet.openWallet().address}.`
  );
}

/** Returns the reason why the wallet cannot be opened, or null. */
function findWalletProblem({ openWallet }: Pick<McpSettings, 'openWallet'>): string | null {
  try {
    openWallet();
    return null;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

function createPaymentInstruction({ limits, networks }: McpSettings, walletProblem: string | null): string {
  if (walletProblem !== null) {
    return (
      `Paid tools: this server cannot pay, because its wallet is not usable. ${walletProblem} Tell the user before you ` +
      'call a paid tool. The free tools work.'
    );
  }
  return (
    'Paid tools: this server pays each call at once from the wallet of the user, at most ' +
    `${formatUsdc(limits.perCall)} per call and ${formatUsdc(limits.total)} in this run of the server, in USDC on ` +
    `${networks.join(' or ')}. ` +
    'The price is in the description of the tool. If a call was cancelled or its result is missing, repeat it with ' +
    'the same arguments: it is not charged again. A limit can be raised only by the user.'
  );
}

function createPayHint({ hasWallet, networks }: McpSettings): string {
  if (hasWallet) return 'To let this server pay, call the tool again without a payment.';
  return (
    `Nothing was charged: this server has no wallet. To let it pay, the user sets ${KEY_VARIABLE} in the environment ` +
    `of touchstone mcp to the private key of a wallet with USDC on ${networks.join(' or ')}, and restarts it. ` +
    'A private key must never be written into a conversation. A client with its own wallet signs one of `accepts`, ' +
    'and calls the tool again with the same arguments and the payment in _meta["x402/payment"].'
  );
}
