/** In the environment of an agent and of its commands: the conversation that they belong to. Whoever calls `/mcp` from there says so. */
export const CONVERSATION_VARIABLE = "RIGHTSEAT_CONVERSATION";
/** The header that says so. */
export const CONVERSATION_HEADER = "rightseat-conversation";
/** The field of `_meta` that says so, for clients that cannot set a header. */
export const CONVERSATION_META = "rightseat/conversation";
