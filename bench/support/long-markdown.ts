import { sentence } from "./words.ts";

/** An answer as agents write them: headings, lists, tables, code, emphasis, links, two languages; cut at `chars`. */
export function longMarkdown(chars: number): string {
	let text = "";
	for (let index = 0; text.length < chars; index += 1) text += `${section(index)}\n\n`;
	return text.slice(0, chars);
}

function section(index: number): string {
	const [one, two] = [sentence(index * 2), sentence(index * 2 + 1)];
	switch (index % 6) {
		case 0:
			return `## Step ${index}: ${one}\n\n${two} **${one}** and *${two}* with \`code_${index}\`.`;
		case 1:
			return `- ${one}\n- ${two} with [a link](https://example.com/${index})\n  - nested \`path/to/file-${index}.ts\`\n- **注意：**${two}`;
		case 2:
			return `\`\`\`ts\nexport function step${index}(input: string): number {\n\t// ${one}\n\treturn input.length * ${index};\n}\n\`\`\``;
		case 3:
			return `| name | value | note |\n|---|---:|---|\n${[0, 1, 2].map((line) => `| row ${line} | ${index * line} | ${sentence(index + line)} |`).join("\n")}`;
		case 4:
			return `> ${one}\n>\n> ${two}\n\n1. ${one}\n2. ${two}`;
		default:
			return `${one}. ${two}。${one}; see \`packages/server/src/file-${index}.ts\` and ~~${two}~~.`;
	}
}
