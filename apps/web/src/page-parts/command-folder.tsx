import { isOnThisMachine } from '../operations/documents/cli-command.ts';
import { quoteForShell } from '../operations/documents/code-examples.ts';
import { readOtherDataFolder } from '../platform/config/config.ts';

/**
 * Folder in which the printed commands run, and the variable with which they find the sandbox. Shows nothing for a
 * public service, whose commands run in any folder.
 *
 * @param props.baseUrl Public origin of the service that shows the command.
 */
export function CommandFolder({ baseUrl }: { readonly baseUrl: string }) {
  if (!isOnThisMachine(baseUrl)) return null;
  const folder = readOtherDataFolder(process.env);
  return (
    <span className="text-sm font-normal">
      {' '}
      Run it in the folder of this repository
      {folder === null ? (
        '.'
      ) : (
        <>
          , after <code className="wrap-anywhere">export DATA_DIR={quoteForShell(folder)}</code>
        </>
      )}
    </span>
  );
}
