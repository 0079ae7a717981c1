/** Formats the cause of a failed attempt for people: `http-404` becomes "HTTP status 404", `dns-error` "dns error". */
export function formatCause(error: string | null): string {
  if (error === null) return 'unknown error';
  return error.startsWith('http-') ? `HTTP status ${error.slice(5)}` : error.replaceAll('-', ' ');
}
