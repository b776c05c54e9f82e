/** Bounds that both ends know. */

/** Longest prompt or command, in UTF-16 units. */
export const MAX_PROMPT_CHARS = 131_072;
/** Longest plan of an agent together with its summary, in UTF-16 units: a person takes what is on the screen, so it is shown whole or not at all. */
export const MAX_PLAN_CHARS = 32_768;
/** Longest side question, and most of what is given back of its answer. */
export const MAX_ASIDE_CHARS = 20_000;
export const MAX_ASIDE_ANSWER_CHARS = 65_536;
/** A WebSocket frame from a client may not be larger. The longest prompt fits, also one written as `\u6f22`, six bytes a unit, with room for the rest. */
export const MAX_FRAME_BYTES = 6 * MAX_PROMPT_CHARS + 64 * 1024;
/** Longest that is written in the page's box. Longer text is pasted as a file. */
export const MAX_TYPED_CHARS = 80_000;
/** The server closes a connection from which nothing came for this long; outbound frames do not count. */
export const HEARTBEAT_TIMEOUT_MS = 180_000;
/** The page gives up on a connection that does not answer a ping within this. */
export const PONG_TIMEOUT_MS = 5_000;
/** Most prompts waiting in one conversation. */
export const MAX_QUEUE_ITEMS = 20;
/** All of them together, in UTF-16 units: every change of the queue tells the whole queue to everyone. */
export const MAX_QUEUE_CHARS = 1_200_000;
/** Output of a `!cmd` that goes into the next prompt. */
export const MAX_BASH_CONTEXT_CHARS = 10_000;
/** Size of one attachment, and how many one prompt may carry. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** Files that go with one prompt. */
export const MAX_ATTACHMENTS = 20;
