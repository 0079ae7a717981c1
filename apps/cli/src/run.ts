import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { createBulkCommand } from './bulk/bulk-command.ts';
import { createBuyingCommands } from './buy/buy-command.ts';
import { CliError, type CommandTools, createOutput, type Host, VERSION } from './command-tools.ts';
import { createGuardCommand } from './guard/guard-command.ts';
import { createLintCommand } from './lint/lint-command.ts';
import { createMcpCommand } from './mcp/mcp-command.ts';
import { createReceiptsCommand } from './receipts/receipts-command.ts';
import { PRESENTATIONS } from './results/presentations.ts';
import { createSandboxCommand } from './sandbox/sandbox-command.ts';
import { toPlainLines } from './terminal/text.ts';
import { createTraceCommand } from './trace/trace-command.ts';
import { createVerifyCommand } from './verify/verify-command.ts';
import { createWatchCommand } from './watch/watch-command.ts';

const FAILURE_EXIT_CODE = 2;

/**
 * Runs the command that the arguments name.
 *
 * @param args arguments without the program name
 * @returns the exit code: 0, 1 when the command found errors, 2 when the command could not do its work
 */
export async function run(args: readonly string[], host: Host): Promise<number> {
  let exitCode = 0;
  const errors = createOutput(host.stderr);
  const printMessage = (text: string): void => void errors.write(`${toPlainLines(text)}\n`);
  const out = createOutput(host.stdout);
  const program = createProgram({
    host,
    out,
    printMessage,
    setExitCode: (code) => (exitCode = code),
    sleep: host.sleep ?? ((ms, signal) => sleep(ms, undefined, { signal })),
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    if (out.failure !== null) throw new CliError(`The output could not be written: ${out.failure}`);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : FAILURE_EXIT_CODE;
    printMessage(error instanceof CliError ? error.message : `Touchstone failed: ${inspect(error)}`);
    return FAILURE_EXIT_CODE;
  }
}

function createCommands(tools: CommandTools): readonly Command[] {
  const buy = new Command('buy').description('Buys a trust report with a wallet through x402.');
  for (const command of createBuyingCommands('buy', PRESENTATIONS, tools)) buy.addCommand(command);
  return [
    createLintCommand(tools),
    createGuardCommand(tools),
    createReceiptsCommand(tools),
    createTraceCommand(tools),
    createVerifyCommand(tools),
    buy,
    createBulkCommand(tools),
    ...createBuyingCommands(null, PRESENTATIONS, tools),
    createWatchCommand(tools),
    createMcpCommand(tools),
    createSandboxCommand(tools),
  ];
}

function createProgram(tools: CommandTools): Command {
  const program = new Command('touchstone')
    .description('Checks x402 endpoints before you pay them.')
    .version(VERSION, '--version', 'print the version')
    .option('--color', 'always color the output')
    .option('--no-color', 'never color the output')
    .showHelpAfterError('(see --help)');
  for (const command of createCommands(tools)) program.addCommand(command);
  const subcommands = program.commands.flatMap((command) => [command, ...command.commands]);
  for (const command of [program, ...subcommands]) {
    command.configureHelp({ showGlobalOptions: true });
    command.exitOverride().configureOutput({
      writeOut: (text) => void tools.out.write(text),
      writeErr: (text) => tools.printMessage(text.trimEnd()),
    });
  }
  return program;
}
