// What a client sent is read field by field: it may be anything.

/** @typedef {Record<string, unknown>} Fields */

/** Nothing that has fields: none. @param {unknown} value @returns {Fields} */
export const fieldsOf = (value) => (typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {});

/** @param {unknown} value */
export const textOf = (value) => (typeof value === "string" ? value : "");

/** @param {unknown} value @returns {Fields[]} */
export const listOf = (value) => (Array.isArray(value) ? value.map(fieldsOf) : []);
