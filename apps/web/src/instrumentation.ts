/**
 * Checks the configuration, and starts to read the names of all pages. Next calls this function once, before the server
 * accepts requests.
 */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { requireConfig } = await import('./platform/config/configured-keys.ts');
  await requireConfig();
  const { loadKnownPages } = await import('./serving/known-pages/known-pages.ts');
  loadKnownPages();
}
