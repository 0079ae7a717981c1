/** Checks the configuration. Next calls this function once, before the server accepts requests. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { requireConfig } = await import('./config/require-config.ts');
  await requireConfig();
}
