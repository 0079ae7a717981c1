/**
 * Updates the stored Nx project graph and lists the packages of the pure layer. `@nx/enforce-module-boundaries` reads the
 * stored graph: without one it prints a line and checks nothing, and with an old one it uses outdated tags. Everything
 * runs in this process, so no daemon or worker stays behind.
 *
 * @returns Globs of the folders tagged `layer:pure`, relative to the workspace. Rejects when the workspace cannot be
 * read, which stops ESLint.
 */
export async function refreshProjectGraph(): Promise<{ readonly pureFolders: string[] }> {
  Object.assign(process.env, { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_NO_CLOUD: 'true' });
  // Nx reads these variables when it is loaded.
  const { createProjectGraphAsync } = await import('nx/src/devkit-exports.js');
  const graph = await createProjectGraphAsync({ exitOnError: false, resetDaemonClient: false });
  const pure = Object.values(graph.nodes).filter((node) => node.data.tags?.includes('layer:pure'));
  return { pureFolders: pure.map((node) => `${node.data.root}/**`) };
}
