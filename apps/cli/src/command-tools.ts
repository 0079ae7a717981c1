import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { breakRunnerCommands } from './terminal/text.ts';

/** Version of the command line, as in its package.json. The relative path is also right in the packed bundle. */
export const VERSION: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version;

/** Signals that end a command. */
const INTERRUPTIONS = ['SIGINT', 'SIGTERM'] as const;
type Interruption = (typeof INTERRUPTIONS)[number];

/** Streams and environment variables of the process that runs a command. */
export interface Host {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** `columns` is set when the stream is a terminal. */
  readonly stdout: Writable & { readonly columns?: number };
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Adds a listener for Ctrl-C or for the end of the process; absent if the host has no signals. */
  readonly on?: (event: Interruption, listener: () => void) => unknown;
  readonly off?: (event: Interruption, listener: () => void) => unknown;
  /** Replaces the function that waits, for tests. If absent, commands wait in real time. */
  readonly sleep?: CommandTools['sleep'];
}

export interface CommandTools {
  readonly host: Host;
  readonly out: Output;
  /** Prints a message for the user, such as an input error, to standard error. */
  readonly printMessage: (text: string) => void;
  /** Sets the exit code: 0 for success, 1 when errors were found, 2 when the work is not complete. */
  readonly setExitCode: (exitCode: number) => void;
  /** Waits. Rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface Output {
  /** True after the reader closed the stream, as `head` does after ten lines, or after a failed write. */
  readonly isClosed: boolean;
  /** Error message of a failed write. Null if no write failed, and null if the reader closed the stream. */
  readonly failure: string | null;
  /**
   * Writes whole lines, without commands to the runner of a build. The promise resolves when the text was written or
   * dropped, and never rejects.
   */
  write(text: string): Promise<void>;
}

/** Creates an output for a stream. A caller should await each write, so that a slow reader does not fill the memory. */
export function createOutput(stream: Writable): Output {
  const state = { isClosed: false, failure: null as string | null };
  const onError = (error: Error | null | undefined): void => {
    if (!error) return;
    state.isClosed = true;
    if (!('code' in error && error.code === 'EPIPE')) state.failure = error.message;
  };
  stream.on('error', onError);
  return {
    get isClosed() {
      return state.isClosed;
    },
    get failure() {
      return state.failure;
    },
    write: (text) =>
      new Promise((resolve) => {
        if (state.isClosed) resolve();
        else
          stream.write(breakRunnerCommands(text), (error) => {
            onError(error);
            resolve();
          });
      }),
  };
}

/** Runs an action whose signal is aborted by Ctrl-C, or when the process is asked to end. */
export async function untilInterrupted<T>(
  host: Host,
  action: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  for (const signal of INTERRUPTIONS) host.on?.(signal, interrupt);
  try {
    return await action(controller.signal);
  } finally {
    // The launcher also forwards Ctrl-C, so a second signal may follow the first. Without the listener, the second
    // signal would end the process with an error code.
    if (!controller.signal.aborted) for (const signal of INTERRUPTIONS) host.off?.(signal, interrupt);
  }
}

/**
 * Asks for a confirmation on the terminal. Only "y" and "yes" confirm. Other input, and the end of the input, count as
 * a refusal.
 *
 * @param refusal message of the error when the user does not confirm
 * @param advice advice in the error when standard input is not a terminal
 * @throws CliError when the user does not confirm
 */
export async function confirm(
  question: string,
  { refusal, advice }: { readonly refusal: string; readonly advice: string },
  { stdin, stderr }: Host,
): Promise<void> {
  if (stdin.isTTY !== true) throw new CliError(`${refusal} Without a terminal you cannot confirm. ${advice}`);
  stderr.write(`${question} [y/N] `);
  // With `terminal: false` the terminal itself edits the line, and Ctrl-C ends the command.
  const lines = createInterface({ input: stdin, terminal: false });
  const input = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  // A standard input that is still being read would keep the process alive.
  stdin.pause();
  if (!/^y(es)?$/i.test(input.trim())) throw new CliError(refusal);
}

/** Stable slug of an error of a purchase. Agents that use the MCP server choose their next step by this slug. */
export type CliErrorCode =
  | 'limit-exceeded'
  | 'no-wallet'
  | 'network-not-allowed'
  | 'quote-rejected'
  | 'service-unreachable'
  | 'invalid-response'
  | 'insufficient-funds'
  | 'payment-failed'
  | 'payment-open'
  | 'purchase-in-progress';

export interface CliErrorOptions extends ErrorOptions {
  readonly code?: CliErrorCode;
  /** True when it is certain that the payer was not charged. */
  readonly notCharged?: boolean;
}

/**
 * Invalid input, or another expected reason why a command cannot run. Only the message is printed, without a stack
 * trace.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
  /** Null for an error outside a purchase. */
  readonly code: CliErrorCode | null;
  readonly notCharged: boolean;

  constructor(message: string, { code, notCharged = false, ...options }: CliErrorOptions = {}) {
    super(message, options);
    this.code = code ?? null;
    this.notCharged = notCharged;
  }
}

/** Returns the message of a thrown value. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
