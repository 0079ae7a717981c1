import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Members of a workspace's package.json that the published package has, too. */
const SHARED_MEMBERS = ['name', 'version', 'description', 'keywords', 'license', 'type', 'engines'];

type Manifest = Readonly<Record<string, unknown>>;

/**
 * Writes the package.json of a published package. It names no dependencies, because the bundle contains them.
 *
 * @param source folder of the workspace
 * @param own members that only the published package has, such as its files
 */
export function writeManifest(source: string, target: string, own: Manifest): void {
  const workspace = readManifest(source);
  const shared = Object.entries(workspace).filter(([name]) => SHARED_MEMBERS.includes(name));
  const manifest: Manifest = {
    ...Object.fromEntries(shared),
    ...own,
    // npm publishes packages with a scope only for paying members, unless this is set.
    publishConfig: { access: 'public' },
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Reads the package.json in a folder. */
function readManifest(folder: string): Manifest {
  // Every package.json is an object.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
