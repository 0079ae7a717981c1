import { join, resolve } from 'node:path';
import { readDatabaseUrl } from '@touchstone/embedded';
import { connect, type Db } from '@touchstone/store';
import { readSecret } from '../backup/create-backup.ts';
import { ConfigError } from '../config/config.ts';
import { runDisputes, USAGE } from './run-disputes.ts';

const FAILURE_EXIT_CODE = 2;

/** Connects to the Supabase project of the environment, or to the database of the running service. */
function openDatabase(): Db {
  const { SUPABASE_URL: url, SUPABASE_SECRET_KEY: key } = process.env;
  if (url !== undefined && key !== undefined) return connect({ url, key });
  const dataDir = resolve(process.env['DATA_DIR'] ?? '.touchstone');
  const secret = readSecret(dataDir);
  const embedded = readDatabaseUrl(join(dataDir, 'db'));
  if (embedded === null)
    throw new ConfigError(
      `The service with DATA_DIR ${dataDir} must run, because this command uses its database. Start it.`,
    );
  return connect({ url: embedded, key: secret });
}

/** Runs `touchstone disputes`, and returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const isRequested = args[0] === '--help';
  const output = isRequested ? USAGE : await runDisputes(openDatabase(), args, Date.now());
  if (output === null) process.stderr.write(USAGE);
  else process.stdout.write(output);
  return output === null ? FAILURE_EXIT_CODE : 0;
}

// The launcher has an IPC channel to this process. The channel closes when the launcher is killed.
process.on('disconnect', () => process.exit(FAILURE_EXIT_CODE));
// The first argument is the name of the command, `disputes`.
main(process.argv.slice(3)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${error instanceof ConfigError ? '' : 'The command failed: '}${message}\n`);
    process.exit(FAILURE_EXIT_CODE);
  },
);
