/**
 * Brings the Nx project graph up to date and reads the pure layer from it. `@nx/enforce-module-boundaries` reads the
 * stored graph and skips itself, with no more than a printed line, when there is none; with a fresh one it can neither
 * be skipped nor judge by tags of yesterday. All of it happens in this process: no daemon and no worker stays behind.
 *
 * @returns Globs of the folders tagged `layer:pure`, relative to the workspace. Rejects when the workspace cannot be
 * read, which stops ESLint.
 */
export async function refreshProjectGraph(): Promise<{ readonly pureFolders: string[] }> {
  Object.assign(process.env, { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_NO_CLOUD: 'true' });
  // Nx reads its environment when it is loaded.
  const { createProjectGraphAsync } = await import('nx/src/devkit-exports.js');
  const graph = await createProjectGraphAsync({ exitOnError: false, resetDaemonClient: false });
  const pure = Object.values(graph.nodes).filter((node) => node.data.tags?.includes('layer:pure'));
  return { pureFolders: pure.map((node) => `${node.data.root}/**`) };
}
