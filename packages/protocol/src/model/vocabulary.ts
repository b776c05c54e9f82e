import * as z from "zod/mini";

/** Words that conversations, turns and messages share. */

export const turnOutcomeSchema = z.enum(["completed", "aborted", "interrupted", "error"]);
export type TurnOutcome = z.infer<typeof turnOutcomeSchema>;

export const streamStatusSchema = z.enum(["streaming", "idle", "completed", "error"]);
export type StreamStatus = z.infer<typeof streamStatusSchema>;

export const originSchema = z.enum(["web", "telegram", "api"]);
export type Origin = z.infer<typeof originSchema>;

export const permissionModeSchema = z.enum(["auto", "ask"]);
export type PermissionMode = z.infer<typeof permissionModeSchema>;
