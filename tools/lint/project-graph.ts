/**
 * Updates the stored Nx project graph, and finds the packages of the pure layer. The ESLint rule
 * `@nx/enforce-module-boundaries` reads the stored graph. Without a stored graph the rule checks nothing, and with an
 * old graph it uses outdated tags. Everything runs in this process, so no daemon or worker keeps running.
 *
 * @returns Globs of the folders with the tag `layer:pure`, relative to the workspace. Rejects when the workspace cannot
 *   be read, so that ESLint stops.
 */
export async function refreshProjectGraph(): Promise<{ readonly pureFolders: string[] }> {
  Object.assign(process.env, { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_NO_CLOUD: 'true' });
  // Nx reads these variables when it is loaded, so it is imported after they are set.
  const { createProjectGraphAsync } = await import('nx/src/devkit-exports.js');
  const graph = await createProjectGraphAsync({ exitOnError: false, resetDaemonClient: false });
  const pure = Object.values(graph.nodes).filter((node) => node.data.tags?.includes('layer:pure'));
  return { pureFolders: pure.map((node) => `${node.data.root}/**`) };
}
