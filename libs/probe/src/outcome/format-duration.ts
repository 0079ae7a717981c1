/** Formats a duration in milliseconds as text: whole seconds from one second on. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 1) return `${Math.round(ms)} milliseconds`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
