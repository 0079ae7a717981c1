/**
 * Prints a progress line for a long task. In a terminal, the line shows the elapsed seconds. Otherwise one line is
 * printed at the start and one at the end. Progress goes to standard error, so that standard output contains only the
 * program's output.
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
