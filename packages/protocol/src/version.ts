/**
 * Version of the language on `/ws`. It goes up when a frame changes so that an older page or server would misunderstand it.
 *
 * - 1: the first one.
 */
export const PROTOCOL_VERSION = 1;

/** Fingerprint of both frame unions; a test compares it, so that no change of the wire slips in unnoticed. */
export const PROTOCOL_HASH = "eaccddd8107068e1";
