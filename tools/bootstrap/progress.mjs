/**
 * Prints one progress line for a long task. A terminal shows the elapsed seconds; any other output gets the line at the
 * start and its result at the end. The line goes to standard error, so that standard output belongs to the program.
 *
 * @param {string} task
 * @returns {{ end(result: string): void }}
 */
export function showProgress(task) {
  const startedAt = performance.now();
  const elapsed = () => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  const { stderr } = process;
  stderr.write(`${task}…`);
  const timer = stderr.isTTY ? setInterval(() => stderr.write(`\r${task}… ${elapsed()}`), 1000) : null;
  return {
    end: (result) => {
      if (timer !== null) clearInterval(timer);
      stderr.write(stderr.isTTY ? `\r${task}… ${result} in ${elapsed()}\n` : ` ${result} in ${elapsed()}\n`);
    },
  };
}
