import console from 'node:console';

const toMessage = (value: unknown): string => (value instanceof Error ? value.message : String(value));

/**
 * Makes `console.error` write the messages of errors only. The HTTP server of the database logs unexpected errors with
 * all their members, and errors of PGlite have the parameters of the statement. These contain reports and payments.
 */
export function logMessagesOnly(): void {
  console.error = (...values: readonly unknown[]): void => {
    process.stderr.write(`embedded database: ${values.map(toMessage).join(' ')}\n`);
  };
}
