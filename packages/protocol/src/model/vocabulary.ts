import * as z from "zod/mini";

/** Words that conversations, turns and messages share. */

/** How a turn ended: by itself, by a person, by a crash or stop of the server, or by an error. */
export const turnOutcomeSchema = z.enum(["completed", "aborted", "interrupted", "error"]);
/** How a turn ended. */
export type TurnOutcome = z.infer<typeof turnOutcomeSchema>;

/** Whether a turn runs, and if not, how the last one ended. */
export const streamStatusSchema = z.enum(["streaming", "idle", "completed", "error"]);
/** How a conversation stands. */
export type StreamStatus = z.infer<typeof streamStatusSchema>;

/** Where a person wrote. */
export const originSchema = z.enum(["web", "telegram", "api"]);
/** The channel that a prompt or command came through. */
export type Origin = z.infer<typeof originSchema>;

/** `auto`: the agent acts by itself. `ask`: a person is asked before it changes or runs anything. */
export const permissionModeSchema = z.enum(["auto", "ask"]);
/** Whether the agent asks before it acts. */
export type PermissionMode = z.infer<typeof permissionModeSchema>;
