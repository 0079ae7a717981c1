/**
 * Block of source code. A block without wrapped lines is a scroll box, and the keyboard can scroll it. The script
 * `copy.js` adds a button that copies the code, so a page with code blocks should load the script.
 *
 * @param props.label Accessible name of the block.
 * @param props.isWrapped True to break long lines, for example in a command that readers copy. The block then has its
 * full height and no scroll box.
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
        {...(isWrapped ? {} : { tabIndex: 0 })}
        role="group"
        aria-label={label}
        className={`min-h-12 rounded-sm border border-stone-line bg-stone px-4 pt-12 pb-3 sm:pt-3 sm:pr-24 noscript:pt-3 noscript:pr-4 font-mono text-sm text-stone-ink ${isWrapped ? 'wrap-anywhere whitespace-pre-wrap' : 'max-h-[32rem] overflow-auto'}`}
      >
        {isWrapped ? keepOptionsWhole(code) : code}
      </pre>
    </div>
  );
}

/** Keeps each option, such as `--sandbox`, on one line. Browsers would otherwise break the line after its hyphens. */
function keepOptionsWhole(code: string) {
  return code.split(/(?<=\s)(--[a-z-]+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}

/** Script that adds a button to each code block of the page. */
export function CopyScript() {
  return <script src="/copy.js" defer />;
}
