import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisesPage } from "./promises-page.ts";
import { proofPage } from "./proof-page.ts";
import { PROOFS } from "./proofs.ts";
import { provenRules } from "./proven-rules.ts";
import { reliabilityPromises, securityPromises } from "./read-promises.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const promises = [...securityPromises(read("SECURITY.md")), ...reliabilityPromises(read("docs/reliability.md"))];
writeFileSync(join(ROOT, "docs/promises.md"), promisesPage(promises, provenRules()));
writeFileSync(
	join(ROOT, "docs/proof.md"),
	proofPage(PROOFS, (page) => (existsSync(join(ROOT, page)) ? read(page) : undefined)),
);
console.log(`${promises.length} promises are in docs/promises.md, and the results of the proofs in docs/proof.md`);
