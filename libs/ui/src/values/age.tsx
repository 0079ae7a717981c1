/**
 * Relative age of a time, such as "5 minutes ago". Pages are cached, so the server leaves the text empty, and a script
 * fills it in by the clock of the browser. The empty content is set as HTML, so that React hydration keeps the
 * filled-in text.
 */
export function Age({ iso, className = '' }: { readonly iso: string; readonly className?: string }) {
  return (
    <span
      data-age-of={iso}
      className={className}
      hidden
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: '' }}
    />
  );
}
