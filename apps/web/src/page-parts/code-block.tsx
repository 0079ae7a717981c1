import { isOnThisMachine } from '../operations/documents/cli-command.ts';

/** Id of the section of `/mcp` that says how to run the commands of a service on this machine. */
export const COMMANDS_SECTION = 'commands';

/**
 * Link to the explanation of how the commands of a page run. A command of a public service runs in any folder, so there
 * is no link.
 *
 * @param props.baseUrl Public origin of the service that shows the command.
 */
export function CommandHint({ baseUrl }: { readonly baseUrl: string }) {
  if (!isOnThisMachine(baseUrl)) return null;
  return (
    <>
      {' '}
      <a href={`/mcp#${COMMANDS_SECTION}`} className="text-sm font-normal">
        Where to run it
      </a>
    </>
  );
}

/**
 * Block of source code. A block without wrapped lines is a scroll box, and the keyboard can scroll it; on a phone, its
 * lines are wrapped, too. The script `copy.js` adds a button that copies the code, so a page with code blocks should load
 * the script. The button has a row of its own above a scroll box, so that it never covers code.
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
    <div
      data-copyable=""
      className={`relative mt-2 min-h-12 rounded-sm border border-stone-line bg-stone pt-11 noscript:pt-0 ${isWrapped ? 'sm:pt-0 sm:pr-20' : ''}`}
    >
      <pre
        {...(isWrapped ? {} : { tabIndex: 0 })}
        role="group"
        aria-label={label}
        className={`px-4 pt-1 pb-3 font-mono text-sm text-stone-ink noscript:pt-3 ${isWrapped ? 'wrap-anywhere whitespace-pre-wrap sm:pt-3' : 'max-h-[32rem] overflow-auto max-sm:wrap-anywhere max-sm:whitespace-pre-wrap'}`}
      >
        {isWrapped ? keepOptionsWhole(code) : code}
      </pre>
    </div>
  );
}

/** Command within a sentence. */
export function InlineCommand({ code }: { readonly code: string }) {
  return <code className="text-[0.9em] wrap-anywhere">{keepOptionsWhole(code)}</code>;
}

/** Keeps each option, such as `--sandbox`, on one line. Browsers would otherwise break the line after its hyphens. */
export function keepOptionsWhole(code: string) {
  return code.split(/(?<=^|\s)(--[a-z-]+)/).map((part, index) =>
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
