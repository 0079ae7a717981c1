import type { GuardOptions } from '@touchstone/guard';
import { parseNetwork } from '@touchstone/x402/networks';
import type { Command } from 'commander';
import { CliError } from '../../command-tools.ts';
import { addOptions } from '../../service/operation-command.ts';
import { toPlainText } from '../../terminal/text.ts';

export interface TraceOptions {
  /** False for `--no-trace`. */
  readonly trace: boolean;
  /** Networks with the URLs of their JSON-RPC providers. */
  readonly rpc?: readonly string[] | undefined;
}

/** Adds the options that select where the guard reads the state of a payment. */
export function addTraceOptions(command: Command): Command {
  command.option('--no-trace', 'do not ask what became of a payment without a delivery');
  const text = 'JSON-RPC provider that is asked in place of the service; repeatable';
  return addOptions(command, [{ member: 'rpc', flags: '--rpc <network=url>', text, kind: 'repeated' }]);
}

/** Reads the source of the states of payments. @throws CliError for a text that names no EVM network and URL */
export function readTrace({ trace, rpc = [] }: TraceOptions): GuardOptions['trace'] {
  if (rpc.length === 0) return trace ? 'service' : false;
  if (!trace) throw new CliError('--rpc cannot be used with --no-trace. Leave one of them out.');
  return { rpc: Object.fromEntries(rpc.map(readProvider)) };
}

function readProvider(text: string): readonly [string, string] {
  const [, name = '', url = ''] = /^([^=]+)=(https?:.+)$/.exec(text) ?? [];
  const network = parseNetwork(name);
  if (network?.startsWith('eip155:') === true && URL.canParse(url)) return [network, url];
  throw new CliError(
    `--rpc must be an EVM network and the URL of its provider, such as eip155:8453=https://rpc.example.com; received ${toPlainText(text, 120)}.`,
  );
}
