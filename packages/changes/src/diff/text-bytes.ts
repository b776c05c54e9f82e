import { isUtf8 } from "node:buffer";

/** One character for each byte: lines are then compared, merged and put back byte by byte. */
export const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
export const fromLatin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** What people read, of bytes read as latin1; what is no UTF-8 becomes U+FFFD. */
export const readable = (text: string): string => Buffer.from(text, "latin1").toString("utf8");

/** Has lines that can be compared and merged. Other encodings than UTF-8 have them too; a NUL is in no text. */
export const hasLines = (bytes: Uint8Array): boolean => !bytes.includes(0);

/** Can stand in a patch that is a text itself. */
export const isPatchText = (bytes: Uint8Array): boolean => hasLines(bytes) && isUtf8(bytes);
