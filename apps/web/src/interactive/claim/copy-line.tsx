import { useState } from 'react';

/** Text of one line with a button that copies the text. */
export function CopyLine({ label, text }: { readonly label: string; readonly text: string }) {
  const [result, setResult] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    // The clipboard is missing on pages without HTTPS, and the browser can refuse access to it.
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setResult(isCopied ? 'Copied' : 'Select and copy it');
  };
  return (
    <div className="mt-3">
      <p className="text-sm font-semibold">{label}</p>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-sm border border-stone-line bg-stone px-4 py-2 text-stone-ink">
        <code className="min-w-0 grow text-sm [overflow-wrap:anywhere]">{text}</code>
        <button
          type="button"
          aria-label={`Copy: ${label}`}
          onClick={() => void copy()}
          className="min-h-11 rounded-sm border border-stone-line px-3 text-sm hover:border-stone-soft"
        >
          <span role="status">{result ?? 'Copy'}</span>
        </button>
      </div>
    </div>
  );
}
