/**
 * Maximum size of all headers of a request together, in bytes: the default limit of Node.js (`http.maxHeaderSize`).
 * Node.js responds to a request with larger headers with status 431.
 */
export const MAX_HEADERS_BYTES = 16 * 1024;

/**
 * Maximum length of the signature of a payment, in bytes. An account without a contract signs with 65 bytes. A smart
 * wallet that is not deployed yet signs with 1,000 to 2,000 bytes (ERC-6492). A payment with the longest signature is
 * shorter than 13 KiB in base64, so 3 KiB of `MAX_HEADERS_BYTES` remain for the other headers of the request.
 */
export const MAX_SIGNATURE_BYTES = 3_072;

/** Statement of the limits for the documents of the API. */
export const HEADERS_LIMIT = `Headers of a request have at most ${MAX_HEADERS_BYTES / 1024} KiB, the signature of a payment ${MAX_SIGNATURE_BYTES / 1024} KiB.`;
