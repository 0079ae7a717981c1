/**
 * Source code in a scroll box. The box can also be scrolled with the keyboard. The script `copy.js` adds a button that
 * copies the code, so a page with code blocks should load it.
 *
 * @param props.label Accessible name of the box.
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
    <div data-copyable="" className="relative mt-2">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className={`max-h-[32rem] min-h-12 overflow-auto rounded-sm border border-stone-line bg-stone px-4 pt-12 pb-3 sm:pt-3 sm:pr-24 noscript:pt-3 noscript:pr-4 font-mono text-sm text-stone-ink ${isWrapped ? 'wrap-anywhere whitespace-pre-wrap' : ''}`}
      >
        {code}
      </pre>
    </div>
  );
}

/** Script that adds a button to each code block of the page. */
export function CopyScript() {
  return <script src="/copy.js" defer />;
}
