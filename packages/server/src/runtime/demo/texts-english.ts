/** Everything the demo pilot says, in one language. */
export interface DemoTexts {
	label: string;
	about: string;
	aboutThought: string;
	menu: string;
	menuThought: string;
	connect: string;
	connectThought: string;
	markdown: string;
	markdownThought: string;
	long: string;
	longThought: string;
	list: { thought: string; before: string; description: string };
	listed: { thought: string; summary(names: string[]): string };
	write: { thought(fileName: string): string; before(fileName: string): string; description: string; content: string };
	fileWritten(fileName: string, shown: string): string;
	fileExists(fileName: string): string;
	ask: { thought: string; before: string; question: string; choices: readonly [string, string, string] };
	answered(answer: string): string;
	freeAnswer: string;
	shell: { thought: string; summary(commands: ShellCommand[]): string };
	noTool(tool: string): string;
}
export interface ShellCommand {
	command: string;
	exitCode: string;
	lines: string[];
}

const tryThese = `- **list the files here**: I run a real shell command
- **ask me a question**: I ask back, with choices
- **write a file**: I create one and show it
- **show me Markdown**: a table and some code
- **tell me a long story**: stop me, reload the page, watch me go on
- type \`!uname -a\` and send: you run a command, then ask me what I see`;

const connect = `To talk to a real model, connect it on this page under **Settings → Model**: it answers from the next message on. Or stop the server, set one of these, and start it again:

| You have | Set |
| --- | --- |
| GitHub Copilot | \`GITHUB_TOKEN\` |
| An OpenAI-compatible server (Ollama, LM Studio, vLLM …) | \`RIGHTSEAT_PROVIDER_URL\`, and \`RIGHTSEAT_PROVIDER_KEY\` if it wants one |
| Azure or Anthropic | the same, with \`RIGHTSEAT_PROVIDER_TYPE=azure\` or \`anthropic\` |

For example, with Ollama on this machine:

\`\`\`bash
RIGHTSEAT_PROVIDER_URL=http://127.0.0.1:11434/v1 \\
COPILOT_DEFAULT_MODEL=qwen3:8b \\
npm start
\`\`\`

\`COPILOT_DEFAULT_MODEL\` names the model of new conversations. \`npx rightseat doctor\` checks the setup.
`;

export const english: DemoTexts = {
	label: "Demo pilot: a script answers here, no real model.",
	aboutThought: "Someone new. I should say what this is, then what to try.",
	about: `**Rightseat** is the seat beside your coding agent. The agent works on your own machine, in a real working directory, with a real shell; you follow and steer it from this page, from a phone or from Telegram.

What makes it different:

1. **Nothing is lost.** What you were shown is on disk first. Close the tab, cut the network, kill the server: it goes on where it was.
2. **Everyone sees the same.** Two tabs and a chat on one conversation all show every word.
3. **You and the agent share one shell.** \`cd\`, variables and functions stay.

You are looking at the real Copilot runtime; only the model behind it is a script. Try:

${tryThese}

How to connect a real model: ask **how do I connect a real model?**
`,
	menuThought: "This is not one of the things the script knows, so the list of what it does know is the honest answer.",
	menu: `I am a small script and did not understand that; a real model would have. Here is what I can do:

${tryThese}

Or ask **how do I connect a real model?**
`,
	connectThought: "They want the real thing. The settings, and one example to copy.",
	connect,
	markdownThought: "A table, some code and a list show what the page can render.",
	markdown: `Answers are Markdown, rendered while they stream.

| Part | Runs in | Language |
| --- | --- | --- |
| Page | your browser | TypeScript |
| Server | your machine | TypeScript |
| Agent | your machine | the Copilot runtime |

\`\`\`typescript
// Every event of a conversation has a number, so nothing is shown twice.
for (const event of missedSince(lastSeq)) {
	transcript.apply(event);
}
\`\`\`

> Quotes, \`inline code\`, **bold** and [links](https://example.com) work too.

- [x] streams word by word
- [x] keeps its place when you scroll up
- [ ] makes coffee
`,
	longThought: "A long answer is good for trying Stop and reload.",
	long: Array.from(
		{ length: 8 },
		(_, index) =>
			`**Leg ${index + 1}.** The pilot on the left has the controls, the one in the right seat reads the chart, watches the engine and speaks up early. Neither does the whole job, and neither is bored. The river bends below, the radio is quiet, and the next waypoint is ${(8 - index) * 12} miles ahead.`,
	).join("\n\n"),
	list: {
		thought: "They want to see the files. I run a command in the conversation's shell instead of guessing.",
		before: "I look at the working directory.",
		description: "List the working directory",
	},
	listed: {
		thought: "The command came back. What kind of place is this?",
		summary(names) {
			if (names.length === 0)
				return "The directory is empty, or the command was not allowed to run. Say **write a file** and I put one there.\n";
			const folders = names.filter((name) => name.endsWith("/")).length;
			const rows = names.slice(0, 10).map((name) => `| \`${name}\` | ${name.endsWith("/") ? "folder" : "file"} |`);
			const hint = names.includes("package.json") ? "There is a `package.json`, so this is a Node project.\n" : "";
			const more = names.length > 10 ? `\n… and ${names.length - 10} more.\n` : "";
			return `I see ${names.length} entries, ${folders} of them folders.\n\n| Name | Kind |\n| --- | --- |\n${rows.join("\n")}\n${more}\n${hint}`;
		},
	},
	write: {
		thought: (fileName) => `They want a file. I call it ${fileName} and must not replace one that is there.`,
		before: (fileName) => `I write \`${fileName}\`.`,
		description: "Write a small file",
		content: "# Hello from Rightseat\n\nThe demo pilot wrote this file. You may delete it.",
	},
	fileWritten: (fileName, shown) =>
		shown.includes("Hello from Rightseat")
			? `Done: \`${fileName}\` is there. It says:\n\n\`\`\`markdown\n${shown.trim()}\n\`\`\`\n\nAsk me to **list the files** to see it, or run \`!rm ${fileName}\` to remove it.\n`
			: `The file was not written. The shell said:\n\n\`\`\`\n${shown.trim()}\n\`\`\`\n`,
	fileExists: (fileName) =>
		`\`${fileName}\` exists already, and I do not replace files. Name another one, for example **write a file notes.md**.\n`,
	ask: {
		thought: "A question of my own, with choices, shows how the agent can ask back.",
		before: "I ask you something. You can answer on any device; the first answer counts.",
		question: "What shall I show you next?",
		choices: ["A table and some code", "The files of this directory", "How to connect a real model"],
	},
	answered: (answer) => `You answered: **${answer}**\n\n`,
	freeAnswer: "A real model would know what to do with that. I only know the choices I offered.\n",
	shell: {
		thought: "There is shell output before the prompt: the person ran commands and wants me to know.",
		summary(commands) {
			const list = commands.map(({ command, exitCode, lines }) => {
				const ending = exitCode === "0" ? "it succeeded" : `it failed with exit code ${exitCode}`;
				const first =
					lines[0] === undefined ? "It printed nothing." : `It printed ${lines.length} line(s), the first: \`${lines[0].slice(0, 120)}\``;
				return `- \`${command}\`: ${ending}. ${first}`;
			});
			return `I see what you ran:\n\n${list.join("\n")}\n\nA real model would work with this output; I only read it back to you.\n`;
		},
	},
	noTool: (tool) => `I would use the tool \`${tool}\` now, but it is not offered in this conversation.\n`,
};
