/**
 * How long ago a time was. The page may have been made long before it is read, so the words are left out here and
 * filled in by the reader's own clock, where a script may run. Its content is given as markup so that React, where it
 * takes over the page, leaves what was filled in alone.
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
