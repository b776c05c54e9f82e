import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

type Schema = Record<string, unknown>;

const FILE = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
const DEFINITIONS: Record<string, Schema> = JSON.parse(readFileSync(FILE, "utf8")).$defs;

/** Says what is wrong with a value, by the schema that the protocol's own package brings; an empty list: nothing. */
export function judge(definition: string, value: unknown): string[] {
	const schema = DEFINITIONS[definition];
	if (schema === undefined) return [`the protocol has no ${definition}`];
	return check(schema, value, definition);
}

function check(schema: Schema, value: unknown, at: string): string[] {
	const wrong: string[] = [];
	if (typeof schema.$ref === "string") wrong.push(...judge(schema.$ref.replace("#/$defs/", ""), value).map((line) => `${at} > ${line}`));
	if (schema.type !== undefined && ![schema.type].flat().some((type) => isOf(String(type), value)))
		return [`${at} is no ${String(schema.type)}`];
	if (schema.const !== undefined && schema.const !== value) wrong.push(`${at} is not ${String(schema.const)}`);
	if (Array.isArray(schema.enum) && !schema.enum.includes(value)) wrong.push(`${at} is not one of ${schema.enum.join(", ")}`);
	if (isObject(value)) wrong.push(...checkFields(schema, value, at));
	if (Array.isArray(value) && isObject(schema.items)) {
		const { items } = schema;
		wrong.push(...value.flatMap((item, index) => (isObject(items) ? check(items, item, `${at}[${index}]`) : [])));
	}
	for (const part of schemas(schema.allOf)) wrong.push(...check(part, value, at));
	for (const choices of [schemas(schema.anyOf), schemas(schema.oneOf)]) {
		const results = choices.map((choice) => check(choice, value, at));
		if (results.length > 0 && !results.some((result) => result.length === 0))
			wrong.push(...(results.sort((a, b) => a.length - b.length)[0] ?? []));
	}
	if (isObject(schema.not) && check(schema.not, value, at).length === 0) wrong.push(`${at} is what it must not be`);
	return wrong;
}

function checkFields(schema: Schema, value: Schema, at: string): string[] {
	const required = Array.isArray(schema.required) ? schema.required : [];
	const missing = required.filter((name) => value[String(name)] === undefined).map((name) => `${at}.${String(name)} is missing`);
	const properties = isObject(schema.properties) ? schema.properties : {};
	const fields = Object.entries(properties).flatMap(([name, field]) =>
		value[name] === undefined || !isObject(field) ? [] : check(field, value[name], `${at}.${name}`),
	);
	const more = schema.additionalProperties;
	const others = Object.entries(value).flatMap(([name, field]) =>
		isObject(more) && properties[name] === undefined ? check(more, field, `${at}.${name}`) : [],
	);
	return [...missing, ...fields, ...others];
}

function isOf(type: string, value: unknown): boolean {
	if (type === "null") return value === null;
	if (type === "array") return Array.isArray(value);
	if (type === "object") return isObject(value);
	if (type === "integer") return Number.isInteger(value);
	return typeof value === type;
}

const isObject = (value: unknown): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);
const schemas = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** What the schema says against one line that the agent sent; adds what kind it was to `kinds`. */
export function judgeLine(line: unknown, kinds: Set<string>): string[] {
	if (typeof line !== "object" || line === null || !("method" in line) || !("params" in line)) return [];
	if (line.method === "session/update") {
		const kind = /"sessionUpdate":"(\w+)"/.exec(JSON.stringify(line.params))?.[1] ?? "none";
		kinds.add(kind);
		return judge("SessionNotification", line.params);
	}
	if (line.method === "session/request_permission") {
		kinds.add(line.method);
		return judge("RequestPermissionRequest", line.params);
	}
	if (line.method === "elicitation/create") {
		kinds.add(line.method);
		return judge("CreateElicitationRequest", line.params);
	}
	return [];
}
