/** The promises that the Telegram part checks. */
export const TELEGRAM_INVARIANTS: Readonly<Record<string, string>> = {
	"confirmed-is-stored": "No update is confirmed to Telegram before it is stored, and what was confirmed is there in every later process.",
	"written-is-done-once": "What a person writes in a chat becomes one prompt, one answer or one command, or the chat is told why not.",
	"command-runs-once":
		"A command of the bot runs once, however the process that took it ended, and no conversation is left that a chat has made and no chat was shown.",
	"answer-arrives-once": "No answer stands in a chat twice, unless a person asked for it again.",
	"answer-is-complete":
		"At peace every answer of the conversation that a chat shows is there with all its words, or is known to be in doubt.",
	"doubt-has-a-reason": "Only a message whose confirmation was lost, or whose process died, is in doubt, and the chat is told.",
	"live-message-ends": "At peace no status, question, permission request or queue notice in a chat looks as if it still went on.",
	"removed-hears-nothing": "Whoever was removed is sent nothing any more, and nothing waits for them.",
	"chat-is-told-no-secret": "Nothing that is sent holds a configured secret.",
};
