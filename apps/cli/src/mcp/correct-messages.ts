import { Transform } from 'node:stream';
import { correctMessage } from '@touchstone/mcp';

/**
 * Creates a stream that corrects MCP messages, one in each line, because the SDK sends no response to a message that it
 * refuses. A line that is not JSON, or is nested too deeply, stays unchanged. Only LF ends a line: JSON text may contain
 * other line separators.
 */
export function correctMessages(): Transform {
  let held: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf('\n') + 1;
      if (end === 0) {
        held.push(chunk);
        done();
        return;
      }
      const lines = Buffer.concat([...held, chunk.subarray(0, end)])
        .toString()
        .split('\n');
      held = [chunk.subarray(end)];
      done(null, lines.map(correctLine).join('\n'));
    },
    /** Ends the last line, which may have no LF. */
    flush(done) {
      const rest = Buffer.concat(held).toString();
      done(null, rest === '' ? '' : `${correctLine(rest)}\n`);
    },
  });
}

function correctLine(line: string): string {
  try {
    return JSON.stringify(correctMessage(JSON.parse(line)));
  } catch {
    return line;
  }
}
