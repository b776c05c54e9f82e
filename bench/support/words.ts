const ENGLISH =
	"the server reads a file and writes it back when every test has passed so that nobody waits for a slow websocket while the build of this branch goes on in another window please check why it fails on machine number".split(
		" ",
	);
const CHINESE =
	"請 幫我 看一下 這個 伺服器 為什麼 沒有 回應 我們 需要 把 測試 修好 然後 再 提交 一次 程式碼 資料庫 搜尋 很 快 訊息 太多 今天 明天 晚上 早上 可以 不行".split(
		" ",
	);

/** A short message, half of them Chinese, the same for the same index everywhere. */
export function sentence(index: number): string {
	const random = generator(index);
	if (index % 2 === 0) return pick(random, ENGLISH, 10).join(" ");
	return `${pick(random, CHINESE, 12).join("")} ${pick(random, ENGLISH, 2).join(" ")} ${index}`;
}

function pick(random: () => number, words: readonly string[], count: number): string[] {
	return Array.from({ length: count }, () => words[Math.floor(random() * words.length)] ?? "");
}

/** Mulberry32: small, fast and the same on every machine. */
function generator(seed: number): () => number {
	let state = seed + 0x9e3779b9;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
