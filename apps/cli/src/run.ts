import type { Readable, Writable } from 'node:stream';
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { CliError } from './cli-error.ts';
import { historyCommand } from './buy/history-command.ts';
import { buyCommand } from './buy/trust-command.ts';
import { lintCommand } from './lint/command.ts';
import { createOutput, type Output } from './output.ts';
import { plainLines } from './plain.ts';
import { verifyCommand } from './verify/command.ts';
import { VERSION } from './version.ts';

/** The parts of a process that commands talk to. */
export interface Host {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** `columns` where it is a terminal. */
  readonly stdout: Writable & { readonly columns?: number };
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a command is given. */
export interface CommandTools {
  readonly host: Host;
  readonly out: Output;
  /** Messages about the run itself: what was wrong with the input, what could not be done. */
  readonly complain: (text: string) => void;
  /** Says how the run ended: 0 well, 1 with errors found, 2 not or not wholly done. */
  readonly end: (exitCode: number) => void;
}

/** A new command is one more function here. */
const COMMANDS: readonly ((tools: CommandTools) => Command)[] = [
  lintCommand,
  verifyCommand,
  buyCommand,
  historyCommand,
];

const DID_NOT_RUN = 2;

/**
 * Runs the command that the arguments name.
 *
 * @param args without the program's own name
 * @returns the exit code: 0, 1 when the command found errors, 2 when it could not do its work
 */
export async function run(args: readonly string[], host: Host): Promise<number> {
  let exitCode = 0;
  const errors = createOutput(host.stderr);
  const complain = (text: string): void => void errors.write(`${plainLines(text)}\n`);
  const out = createOutput(host.stdout);
  const program = programOf({ host, out, complain, end: (code) => (exitCode = code) });
  try {
    await program.parseAsync(args, { from: 'user' });
    if (out.failure !== null) throw new CliError(`The output could not be written: ${out.failure}`);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : DID_NOT_RUN;
    complain(error instanceof CliError ? error.message : `Touchstone failed: ${inspect(error)}`);
    return DID_NOT_RUN;
  }
}

function programOf(tools: CommandTools): Command {
  const program = new Command('touchstone')
    .description('Judges x402 endpoints before the money moves.')
    .version(VERSION, '--version', 'print the version')
    .option('--color', 'color the output whatever it goes to')
    .option('--no-color', 'do not color the output')
    .showHelpAfterError('(--help says more)');
  for (const make of COMMANDS) program.addCommand(make(tools));
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command.configureHelp({ showGlobalOptions: true });
    command.exitOverride().configureOutput({
      writeOut: (text) => void tools.out.write(text),
      writeErr: (text) => tools.complain(text.trimEnd()),
    });
  }
  return program;
}
