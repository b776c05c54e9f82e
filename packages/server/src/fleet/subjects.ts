/** Where each thing is said, in a fleet. Ids are ours (base32, letters, digits, dashes), so no part can be a wildcard or a separator. */
export const subjects = {
	live: (fleet: string, host: string, conversationId: string) => `rs.${fleet}.live.${host}.${conversationId}`,
	snapshot: (fleet: string, host: string, conversationId: string, part: number) => `rs.${fleet}.snap.${host}.${conversationId}.${part}`,
	beat: (fleet: string, host: string) => `rs.${fleet}.beat.${host}`,
	card: (fleet: string, host: string) => `rs.${fleet}.card.${host}`,
	command: (fleet: string, host: string) => `rs.${fleet}.cmd.${host}`,
	/** Who belongs to the fleet has changed: look. */
	members: (fleet: string) => `rs.${fleet}.members`,
	pairing: (fleet: string, invite: string) => `rs.${fleet}.pair.${invite}`,
} as const;

/** What an answer is sealed for: the command that it answers, wherever it is sent. */
export const answerContext = (fleet: string, host: string, commandId: string) => `${subjects.command(fleet, host)} answer ${commandId}`;

/** The engine's tables of one fleet. */
export const buckets = {
	members: (fleet: string) => `RS_${fleet}_MEMBERS`,
	hosts: (fleet: string) => `RS_${fleet}_HOSTS`,
	leases: (fleet: string) => `RS_${fleet}_LEASE`,
	/** What the holder of the bot leaves for the next one. */
	telegram: (fleet: string) => `RS_${fleet}_TG`,
} as const;
