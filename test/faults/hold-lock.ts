import { loadSqlite } from "../../packages/server/src/store/sqlite/sqlite-loader.ts";

/** Holds the write lock of the database at the path given until its input ends. */
const database = new (loadSqlite().module.DatabaseSync)(process.argv[2] ?? "", { timeout: 10_000 });
database.exec("BEGIN IMMEDIATE");
process.stdout.write("held\n");
process.stdin.resume().on("end", () => {
	database.exec("ROLLBACK");
	database.close();
});
