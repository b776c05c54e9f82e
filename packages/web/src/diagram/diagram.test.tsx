// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { Diagram } from "./diagram.tsx";
import { layoutFlowchart } from "./layout-flowchart.ts";
import { parseFlowchart } from "./parse-flowchart.ts";
import { parseSequence } from "./parse-sequence.ts";
import { MAX_DIAGRAM_CHARS } from "./scanner.ts";

afterEach(cleanup);

const FLOW = `flowchart TD
  A[Start] --> B{Is it "ready"?}
  B -->|yes| C(Go on)
  B -- no --> D[Wait<br/>a bit]
  D -.-> B
  C & D ==> E((End))
  style A fill:#f00`;

test("[PG96] a flowchart is read with its shapes, labels and lines", () => {
	const chart = parseFlowchart(FLOW);
	expect(chart?.nodes.map(({ id, shape }) => [id, shape])).toEqual([
		["A", "box"],
		["B", "diamond"],
		["C", "round"],
		["D", "box"],
		["E", "round"],
	]);
	expect(chart?.edges.map(({ from, to, label, line }) => `${from}${to} ${label} ${line}`)).toEqual([
		"AB  solid",
		"BC yes solid",
		"BD no solid",
		"DB  dotted",
		"CE  thick",
		"DE  thick",
	]);
});

const HOSTILE = [
	(n: number) => `graph TD\nA[${" ".repeat(n)}x`,
	(n: number) => `graph TD\nA["${'" '.repeat(n)}`,
	(n: number) => `graph TD\nA -- ${"a ".repeat(n)}`,
	(n: number) => `graph TD\nA ${"- ".repeat(n)}`,
	(n: number) => `graph TD\nA --> |${"|".repeat(n)}`,
	(n: number) => `graph TD\n${"A & ".repeat(n)}A`,
	(n: number) => `graph TD\n${"A[".repeat(n)}`,
	(n: number) => `graph TD\n${"A-".repeat(n)}\n${"A=".repeat(n)}`,
];

test("[PG204] reading a flowchart takes twice the steps for twice the text, whatever is in it", () => {
	const steps = (source: string) => {
		const work = { steps: 0 };
		parseFlowchart(source, work);
		return work.steps;
	};
	for (const make of HOSTILE) expect(steps(make(8_000))).toBeLessThanOrEqual(2 * steps(make(4_000)) + 50);
});

test("[PG204] a source too long to be a picture, or with a million lines in two groups, stays code", () => {
	expect(parseFlowchart(`graph TD\nA[${"x".repeat(MAX_DIAGRAM_CHARS)}]`)).toBeUndefined();
	const group = Array.from({ length: 1_000 }, () => "A").join(" & ");
	expect(parseFlowchart(`graph TD\n${group} --> ${group}`)).toBeUndefined();
	const many = Array.from({ length: 1_000 }, (_, index) => `participant p${index}`).join("\n");
	expect(parseSequence(`sequenceDiagram\n${many}`)).toBeUndefined();
});

test("[PG96] nodes never overlap, cycles end, and every node has a place", () => {
	const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 25 });
	fc.assert(
		fc.property(edges, fc.constantFrom("TD", "LR"), (pairs, direction) => {
			const chart = parseFlowchart(
				[`graph ${direction}`, ...pairs.map(([from, to]) => `n${from}[Node ${from}] --> n${to}[Node ${to}]`)].join("\n"),
			);
			if (chart === undefined) throw new Error("It did not parse.");
			const placed = [...layoutFlowchart(chart).nodes.values()];
			expect(placed).toHaveLength(chart.nodes.length);
			for (const a of placed) {
				for (const b of placed) {
					if (a.id >= b.id) continue;
					const apart = Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;
					expect(apart).toBe(true);
				}
			}
		}),
		{ numRuns: 150 },
	);
});

test("[PG96] a sequence diagram is read with participants, messages and notes", () => {
	const sequence = parseSequence(
		"sequenceDiagram\n  participant U as User\n  U->>S: Hello\n  S-->>U: Hi there\n  loop every second\n  S->>S: tick\n  end\n  Note over U,S: done",
	);
	expect(sequence?.people).toEqual(["User", "S"]);
	expect(sequence?.steps).toEqual([
		{ kind: "message", from: 0, to: 1, text: "Hello", dashed: false },
		{ kind: "message", from: 1, to: 0, text: "Hi there", dashed: true },
		{ kind: "divider", text: "loop every second" },
		{ kind: "message", from: 1, to: 1, text: "tick", dashed: false },
		{ kind: "note", from: 0, to: 1, text: "done" },
	]);
});

test("[PG96] what cannot be drawn stays code, and a picture can be turned back into its code", () => {
	const { rerender } = render(<Diagram source="gantt\n title x" code={<pre>gantt</pre>} />);
	expect(screen.getByText("gantt")).toBeTruthy();
	rerender(<Diagram source={FLOW} code={<pre>the code</pre>} />);
	expect(screen.getByRole("img", { name: "Flowchart" }).querySelectorAll(".dg-node")).toHaveLength(5);
	fireEvent.click(screen.getByRole("button", { name: "Show the code" }));
	expect(screen.getByText("the code")).toBeTruthy();
});

test("[PG96] hostile diagrams are text in a picture or code, nothing else", () => {
	const { container } = render(<Diagram source={'graph TD\nA["<img src=x onerror=alert(1)>"] --> B[ok]'} code={<pre>code</pre>} />);
	expect(container.querySelector("img, script, foreignObject, a")).toBeNull();
	expect(parseFlowchart(`graph TD\n${Array.from({ length: 200 }, (_, index) => `a${index} --> b${index}`).join("\n")}`)).toBeUndefined();
});
