/**
 * What can be read after a sync has failed. Everything about conversations, because core refuses or leaves out those that are in doubt; and what is in no
 * table. The rest (settings, logins, the audit log, schedules …) may have been committed and never synced, and is refused until the next start.
 */
const READ_ON: ReadonlySet<string> = new Set([
	...["/api/conversations", "/api/search", "/api/inbox", "/api/attachments/:id", "/watch/:token"],
	...["/api/status", "/api/schema", "/api/openapi.json", "/api/login-methods", "/api/push/key", "/api/reach"],
	...["/api/agents", "/api/agents/:id/sessions", "/api/copilot/models", "/api/model-account", "/api/model-account/login"],
	...["/api/hosts", "/api/fleet", "/api/directories", "/api/files", "/api/folders/setup", "/api/worktrees"],
]);

/** Whether this route answers as ever; `route` as it was registered. */
export const isReadOn = (route: string): boolean => READ_ON.has(route) || route.startsWith("/api/conversations/:id");

/** For tests. */
export const readOnRoutes: readonly string[] = [...READ_ON];
