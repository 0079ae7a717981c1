/**
 * Reads a body as text, up to a maximum size. Text that is not UTF-8 gets replacement characters, as with
 * `Response.text`.
 *
 * @returns null for a larger body, of which the rest is not read
 */
export async function readBoundedText(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return '';
  // The type of the platform leaves the type of the chunks open. Bodies of responses consist of bytes.
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // A second reader of the same response may still read on, so the result of this promise may come much later.
      void reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
