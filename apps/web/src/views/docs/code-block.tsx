/**
 * Source code in a scroll box. The box can also be scrolled with the keyboard.
 *
 * @param props.isWrapped True to break long lines, for example in a command that readers copy.
 */
export function CodeBlock({
  label,
  code,
  isWrapped = false,
}: {
  readonly label: string;
  readonly code: string;
  readonly isWrapped?: boolean;
}) {
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className={`mt-2 max-h-[32rem] overflow-auto rounded-sm border border-stone-line bg-stone px-4 py-3 font-mono text-sm text-stone-ink ${isWrapped ? 'wrap-anywhere whitespace-pre-wrap' : ''}`}
    >
      {code}
    </pre>
  );
}
