/**
 * One line that says what takes long: counted up in place on a terminal, printed at the start and completed at the end
 * anywhere else. It goes to standard error, which leaves standard output to the program itself.
 *
 * @param {string} what
 * @returns {{ end(result: string): void }}
 */
export function showProgress(what) {
  const startedAt = performance.now();
  const elapsed = () => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  const { stderr } = process;
  stderr.write(`${what}…`);
  const ticking = stderr.isTTY ? setInterval(() => stderr.write(`\r${what}… ${elapsed()}`), 1000) : null;
  return {
    end: (result) => {
      if (ticking !== null) clearInterval(ticking);
      stderr.write(stderr.isTTY ? `\r${what}… ${result} in ${elapsed()}\n` : ` ${result} in ${elapsed()}\n`);
    },
  };
}
