import { resolve } from 'node:path';
import { ConfigError } from '../config/config.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const USAGE = `Usage: touchstone backup FILE | touchstone restore FILE

backup   writes the data folder (database, keys and state) to a new archive; the service may run
restore  restores an archive to an empty data folder

The data folder is DATA_DIR, or .touchstone. For live mode, set DATA_DIR to .touchstone-live.
The archive contains private keys. Keep it as secret as the data folder.
`;
const FAILURE_EXIT_CODE = 2;

/** Runs `touchstone backup` or `touchstone restore`, and returns the exit code. */
async function main([command, file, ...rest]: readonly string[]): Promise<number> {
  const dataDir = resolve(process.env['DATA_DIR'] ?? '.touchstone');
  if (file === undefined || rest.length > 0 || file.startsWith('-')) return printUsage(file === '--help');
  if (command === 'backup') {
    const { files } = await createBackup(dataDir, resolve(file));
    process.stdout.write(
      `Backed up ${files.length} files of ${dataDir} to ${file}, and verified them.\n` +
        'Keys in environment variables, such as REPORT_SIGNING_KEYS, are not in the archive.\n',
    );
    return 0;
  }
  if (command !== 'restore') return printUsage(false);
  const { createdAt, payments } = await restoreBackup(resolve(file), dataDir);
  process.stdout.write(
    `Restored the backup of ${createdAt} to ${dataDir}${payments === null ? '' : `, with ${payments} payments`}.\n`,
  );
  return 0;
}

function printUsage(isRequested: boolean): number {
  (isRequested ? process.stdout : process.stderr).write(USAGE);
  return isRequested ? 0 : FAILURE_EXIT_CODE;
}

// The launcher has an IPC channel to this process. The channel closes when the launcher is killed.
process.on('disconnect', () => process.exit(FAILURE_EXIT_CODE));
main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${error instanceof ConfigError ? '' : 'The command failed: '}${message}\n`);
    process.exit(FAILURE_EXIT_CODE);
  },
);
