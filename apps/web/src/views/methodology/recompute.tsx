/** Instructions for readers who want to check a report without trust in this site. */
export function Recompute({ origin }: { readonly origin: string }) {
  const keys = `${origin}/.well-known/touchstone-keys.json`;
  return (
    <div className="mt-4 max-w-3xl space-y-4">
      <p>
        The same inputs give the same verdict to the last digit, on any machine, at any time. A trust report
        contains its input figures, the version of the formula and a signature. You can therefore recompute
        the score, and check the signature with the public keys of this site. A report of an earlier version
        is recomputed with the formula of that version. In a clone of the repository:
      </p>
      <pre
        tabIndex={0}
        aria-label="Command"
        className="overflow-x-auto rounded-sm border border-stone-line bg-stone px-4 py-3 font-mono text-sm text-stone-ink"
      >
        npx touchstone verify report.json --keys {keys}
      </pre>
      <p>
        The <a href="#playground">playground</a> above runs the same code in your browser. It shows its inputs
        as JSON and sends no data.
      </p>
    </div>
  );
}
