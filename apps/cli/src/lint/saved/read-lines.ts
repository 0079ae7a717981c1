const LINE_FEED = 0x0a;

/** One line of a file. */
export interface Line {
  /** Line number, counted from 1. */
  readonly number: number;
  /** Null for a line longer than the limit. */
  readonly text: string | null;
}

/**
 * Reads the lines of a stream of UTF-8 text, with at most one line in memory.
 *
 * @param limit maximum length of a line, in bytes; the text of a longer line is null
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Line> {
  const line = new LineBuffer(limit);
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      line.add(chunk.subarray(from, end));
      yield line.take();
      from = end + 1;
    }
    line.add(chunk.subarray(from));
  }
  if (!line.isEmpty) yield line.take();
}

class LineBuffer {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #number = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > this.#limit) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  take(): Line {
    this.#number += 1;
    // Some editors write a byte order mark at the beginning of a file. A new decoder removes it.
    const text = this.#size > this.#limit ? null : new TextDecoder().decode(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#size = 0;
    return { number: this.#number, text };
  }
}
