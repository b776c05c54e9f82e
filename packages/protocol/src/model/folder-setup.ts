/** What a folder can bring for an agent; what is started by itself comes first. */
export const SETUP_KINDS = ["hook", "mcp", "lsp", "command", "skill", "agent", "instructions"] as const;
/** Why it is not known what is in a file of a folder's set-up. `outside`: a link leads out of the folder. */
export const SETUP_PROBLEMS = ["not-json", "unknown-form", "too-large", "unreadable", "outside"] as const;
