/**
 * Checks the configuration, and starts to load the endpoint ids and host names that have a page. Next calls this
 * function once, before the server accepts requests.
 */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { requireConfig } = await import('./platform/config/require-config.ts');
  await requireConfig();
  const { loadKnownPages } = await import('./serving/known-pages/known-pages.ts');
  loadKnownPages();
}
