import { useEffect, useRef } from "react";

/** A formula as MathML, which browsers draw and read aloud themselves: no fonts, no styles. Shows its source until the library is there. */
export function Formula({ source, display }: { source: string; display: boolean }) {
	const ref = useRef<HTMLSpanElement>(null);
	useEffect(() => {
		const element = ref.current;
		if (element === null) return;
		let alive = true;
		element.textContent = source;
		void import("katex").then(({ default: katex }) => {
			if (!alive) return;
			katex.render(source, element, {
				displayMode: display,
				output: "mathml",
				throwOnError: false,
				trust: false,
				maxExpand: 300,
				maxSize: 20,
			});
		});
		return () => {
			alive = false;
		};
	}, [source, display]);
	return <span ref={ref} className={display ? "md-math-block" : "md-math"} />;
}
